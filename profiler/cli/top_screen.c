/* top_screen.c: the screen of `blasprof top`, by ncurses. */
/* SPDX-License-Identifier: MIT */
#include <curses.h>
#include <locale.h>
#include <stdlib.h>

#include "cli/top.h"

static SCREEN *screen;

int top_screen_open(void)
{
	setlocale(LC_CTYPE, "");
	screen = newterm(NULL, stdout, stdin);
	if (!screen)
		return -1;
	cbreak();
	noecho();
	curs_set(0);
	keypad(stdscr, TRUE);
	return 0;
}

void top_screen_show(const char *title, const struct live *before, const struct live *now)
{
	char text[TOP_LINE_MAX];
	int row = 3;

	erase();
	mvaddnstr(0, 0, title, COLS);
	attron(A_REVERSE);
	mvaddnstr(2, 0, top_heading, COLS);
	attroff(A_REVERSE);
	for (size_t i = 0; row < LINES - 1 && top_line(before, now, i, text); i++) {
		if (!i)
			attron(A_BOLD);
		mvaddnstr(row++, 0, text, COLS);
		attroff(A_BOLD);
	}
	mvaddnstr(LINES - 1, 0,
		  "BLAS to no CPU: % of the threads' time.  q: quit; the program goes on", COLS);
	refresh();
}

int top_screen_wait(double seconds)
{
	int key;

	timeout((int)(seconds * 1000));
	key = getch();
	return key == 'q' || key == 'Q' || key == 27;
}

void top_screen_close(void)
{
	endwin();
	delscreen(screen);
}
