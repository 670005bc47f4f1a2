/* object_check.c: opens object files, and checks that their headers stay within them. */
/* SPDX-License-Identifier: MIT */
#include "symbols/object_check.h"

#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int was_replaced(const struct stat *status, uint64_t inode, int64_t since_ns)
{
	return inode && status->st_ino != inode &&
	       (int64_t)status->st_ctim.tv_sec * 1000000000 + status->st_ctim.tv_nsec >= since_ns;
}

/* 1 where `count` entries of `size` bytes from `start` on end within the file. */
static int fits(uint64_t start, uint64_t count, uint64_t size, uint64_t file_size)
{
	return start <= file_size && (!size || count <= (file_size - start) / size);
}

static int segments_fit(int fd, const Elf64_Ehdr *header, uint64_t file_size)
{
	for (unsigned i = 0; i < header->e_phnum; i++) {
		off_t at = (off_t)(header->e_phoff + (uint64_t)i * header->e_phentsize);
		Elf64_Phdr segment;

		if (pread(fd, &segment, sizeof segment, at) != sizeof segment)
			return 0;
		if (segment.p_type == PT_LOAD &&
		    !fits(segment.p_offset, segment.p_filesz, 1, file_size))
			return 0;
	}
	return 1;
}

/* A file without a table of sections has none that leads out. */
static int sections_fit(int fd, const Elf64_Ehdr *header, uint64_t file_size)
{
	if (header->e_shnum &&
	    (header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shstrndx >= header->e_shnum))
		return 0;
	for (unsigned i = 1; i < header->e_shnum; i++) {
		off_t at = (off_t)(header->e_shoff + (uint64_t)i * header->e_shentsize);
		Elf64_Shdr section;

		if (pread(fd, &section, sizeof section, at) != sizeof section)
			return 0;
		if (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL &&
		    !fits(section.sh_offset, section.sh_size, 1, file_size))
			return 0;
	}
	return 1;
}

/* Only what programs of this machine look like is checked further than its first bytes. */
static const char *find_fault(int fd, uint64_t file_size)
{
	const unsigned char data = __BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB;
	Elf64_Ehdr header;
	ssize_t got = pread(fd, &header, sizeof header, 0);

	if (got < SELFMAG || memcmp(header.e_ident, ELFMAG, SELFMAG))
		return "it is no ELF file";
	if (got < (ssize_t)sizeof header)
		return "it is cut off";
	if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != data)
		return NULL;
	if (header.e_phnum && header.e_phentsize != sizeof(Elf64_Phdr))
		return "its headers are damaged";
	if (!fits(header.e_phoff, header.e_phnum, header.e_phentsize, file_size) ||
	    !fits(header.e_shoff, header.e_shnum, header.e_shentsize, file_size) ||
	    !segments_fit(fd, &header, file_size) || !sections_fit(fd, &header, file_size))
		return "it is cut off, or its headers are damaged";
	return NULL;
}

int object_open(const char *path, uint64_t inode, int64_t since_ns, const char **complaint)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;

	*complaint = NULL;
	if (fd < 0)
		*complaint = errno == EACCES   ? "this user may not read it"
			     : errno == ENOENT ? "it is not there any more"
					       : "it cannot be opened";
	else if (fstat(fd, &status) || !S_ISREG(status.st_mode))
		*complaint = "it is no regular file";
	else if (was_replaced(&status, inode, since_ns))
		*complaint = "it was replaced since it ran";
	if (!*complaint) {
		*complaint = find_fault(fd, (uint64_t)status.st_size);
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}
