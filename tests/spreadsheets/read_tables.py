"""read_tables.py: compares tables that another program has read with those of the JSON report."""
# SPDX-License-Identifier: MIT
# read_tables.py REPORT.json FOLDER SUFFIX: FOLDER has NAME.SUFFIX for each table, or report.SUFFIX for a workbook.
import datetime
import gzip
import json
import math
import pathlib
import sys
import xml.etree.ElementTree as xml

OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
GNUMERIC = "{http://www.gnumeric.org/v10.dtd}"
EPOCH = datetime.datetime(1899, 12, 30, tzinfo=datetime.timezone.utc)
GNUMERIC_TEXT, GNUMERIC_ERROR = "60", "50"


def opendocument_cell(cell):
    """The value of a cell: a float, a text, or None."""
    kind = cell.get(OFFICE + "value-type")
    text = "\n".join("".join(part.itertext()) for part in cell.iter(TEXT + "p"))
    return float(cell.get(OFFICE + "value")) if kind == "float" else text or None


def opendocument(path):
    """{sheet: rows} of a flat OpenDocument spreadsheet."""
    sheets = {}
    for sheet in xml.parse(path).iter(TABLE + "table"):
        rows = []
        for row in sheet.iter(TABLE + "table-row"):
            cells = []
            for cell in row.iter(TABLE + "table-cell"):
                count = int(cell.get(TABLE + "number-columns-repeated", "1"))
                cells += [opendocument_cell(cell)] * min(count, 200)
            rows += [cells] * min(int(row.get(TABLE + "number-rows-repeated", "1")), 1000)
        sheets[sheet.get(TABLE + "name")] = rows
    return sheets


def gnumeric(path):
    """{sheet: rows} of a Gnumeric file, whose cells have types."""
    sheets = {}
    for sheet in xml.fromstring(gzip.open(path).read()).iter(GNUMERIC + "Sheet"):
        rows = []
        for cell in sheet.iter(GNUMERIC + "Cell"):
            row, column = int(cell.get("Row")), int(cell.get("Col"))
            rows += [[None] * 200 for _ in range(row + 1 - len(rows))]
            kind = cell.get("ValueType")
            if kind == GNUMERIC_ERROR:
                sys.exit(f"{path}: an error in row {row} column {column}")
            if kind:
                rows[row][column] = cell.text if kind == GNUMERIC_TEXT else float(cell.text)
        sheets[sheet.find(GNUMERIC + "Name").text] = rows
    return sheets


def lists(path):
    """The rows that read_tables.R wrote, as lists."""
    return {path.stem: [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]}


def objects(path):
    """The rows that SQLite wrote: objects with texts, since its tables have no types."""
    text = path.read_text(encoding="utf-8")
    rows = json.loads(text) if text.strip() else []
    return {path.stem: [list(rows[0])] + [list(row.values()) for row in rows] if rows else [[]]}


READERS = {".fods": opendocument, ".gnumeric": gnumeric, ".types": lists, ".rows": objects}


def as_number(text):
    """The number that a spreadsheet may convert a text to; dates are numbers of days."""
    for number in (float, lambda date: (datetime.datetime.fromisoformat(date) - EPOCH).total_seconds() / 86400):
        try:
            return number(text)
        except ValueError:
            continue
    return math.nan


def same(wanted, cell, typed):
    """Returns True if a cell has the JSON value. A text that looks like a number may have become one."""
    if wanted is None:
        return cell in ("", None)
    if isinstance(wanted, str):
        if isinstance(cell, (int, float)):
            return abs(as_number(wanted) - cell) < 1e-6
        found = (cell or "").replace("\\n", "\n")
        return found in (wanted, "'" + wanted, wanted.removeprefix("'")) or " ".join(found.split()) == " ".join(wanted.split())
    if typed and isinstance(cell, str):
        return False
    return cell not in ("", None) and abs(float(cell) - wanted) <= 1e-9 * abs(wanted)


def sheet_name(table):
    """The name of a table's sheet."""
    others = {"threads": "Thread counts", "run-threads": "Threads", "waits": "Waiting", "mpi": "MPI"}
    return others.get(table, table.replace("_", " ").capitalize())


def find(folder, suffix, table):
    """The table's rows, from its own file or from the workbook."""
    book = folder / ("report" + suffix)
    if book.exists():
        return READERS[suffix](book)[sheet_name(table)]
    sheets = READERS[suffix](folder / (table + suffix))
    return next(iter(sheets.values()))


def main():
    """Compares everything."""
    report = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    folder, suffix = pathlib.Path(sys.argv[2]), sys.argv[3]
    compared = 0
    for table, rows in report["tables"].items():
        if (folder / ("report" + suffix)).exists() and (not rows or table == "latencies"):
            continue  # the workbook has no sheet for it
        found = find(folder, suffix, table)
        for number, row in enumerate(rows):
            for at, (column, value) in enumerate(row.items()):
                cell = found[number + 1][at] if at < len(found[number + 1]) else None
                if not same(value, cell, suffix != ".rows"):
                    sys.exit(f"{table} row {number} {column}: {cell!r}, not {value!r}")
                compared += 1
    if compared < 100:
        sys.exit(f"only {compared} figures")
    print(f"{compared} figures and texts are the same")


main()
