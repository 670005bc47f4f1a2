"""read_back.py: reads the report of one experiment in every format and compares the figures."""
# SPDX-License-Identifier: MIT
# read_back.py FOLDER SCHEMA: FOLDER holds report.json, report.xlsx, and for each table NAME.csv, NAME.tsv and
# NAME.markdown.
import csv
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as xml
import zipfile

import jsonschema

SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
CELL_BYTES = 32000  # longer texts are cut in a workbook
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def sheet_name(table):
    """The name of a table's sheet."""
    others = {"threads": "Thread counts", "run-threads": "Threads", "waits": "Waiting", "mpi": "MPI"}
    return others.get(table, table.replace("_", " ").capitalize())


def column_of(place):
    """The column of a cell such as "AB12", from 0."""
    number = 0
    for letter in re.match("[A-Z]+", place).group():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def workbook(path):
    """The cells of each sheet: {name: [[cell, ...], ...]}, numbers as floats."""
    book = zipfile.ZipFile(path)
    strings = [
        "".join(part.text or "" for part in item.iter(SHEET + "t"))
        for item in xml.fromstring(book.read("xl/sharedStrings.xml"))
    ]
    targets = {
        relation.get("Id"): relation.get("Target")
        for relation in xml.fromstring(book.read("xl/_rels/workbook.xml.rels"))
    }
    sheets = {}
    for sheet in xml.fromstring(book.read("xl/workbook.xml")).iter(SHEET + "sheet"):
        rows = []
        for row in xml.fromstring(book.read("xl/" + targets[sheet.get(RELATION)])).iter(SHEET + "row"):
            cells = {}
            for cell in row.iter(SHEET + "c"):
                value = cell.find(SHEET + "v")
                if value is not None:
                    text = value.text
                    cells[column_of(cell.get("r"))] = strings[int(text)] if cell.get("t") == "s" else float(text)
            rows.append(cells)
        sheets[sheet.get("name")] = rows
    return sheets


def unescaped(text):
    """Removes the backslashes of Markdown."""
    return re.sub(r"\\([|<&`*_~$\[\\])", r"\1", text)


def markdown(path):
    """Rows of cells, without the line below the heading."""
    rows = [
        [unescaped(cell) for cell in re.split(r" ?(?<!\\)\| ?", line)[1:-1]]
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return [rows[0]] + rows[2:]


def same(wanted, cell):
    """Returns True if a cell has the JSON value."""
    if wanted is None:
        return cell in ("", None)
    if isinstance(wanted, str):
        cell = cell or ""
        return any(text in (wanted, "'" + wanted) for text in (cell, cell.replace("\\n", "\n")))
    return abs(float(cell) - wanted) <= 1e-12 * abs(wanted)


def cell_text(value):
    """The JSON value as in a workbook, where a long text is cut between characters."""
    if not isinstance(value, str):
        return value
    return value.encode("utf-8")[:CELL_BYTES].decode("utf-8", "ignore")


def check(where, rows, cells_of, wanted=lambda value: value):
    """Compares the rows of a table with the cells that `cells_of` returns for row and column."""
    for number, row in enumerate(rows):
        for at, (column, value) in enumerate(row.items()):
            cell = cells_of(number, at)
            if not same(wanted(value), cell):
                sys.exit(f"{where} row {number} {column}: {cell!r}, not {value!r}")


def check_page(folder, report):
    """The data in the page, which names the columns once, equals the JSON report."""
    page = json.loads((folder / "data.json").read_text(encoding="utf-8"))
    tables = page["report"]["tables"]
    for table in page["tables"]:
        names = [column["name"] for column in table["columns"]]
        tables[table["name"]] = [dict(zip(names, row, strict=True)) for row in tables[table["name"]]]
    if page["report"] != report:
        sys.exit("the page says something else than the JSON report")


def check_summary(sheet, tables):
    """The summary of the workbook has the share of each part."""
    first = [row.get(0) for row in sheet].index("threads") + 1
    for number, row in enumerate(tables["threads"]):
        shares = [part["share"] for part in tables["parts"] if part["threads"] == row["threads"]]
        cells = [sheet[first + number].get(3 + at) for at in range(len(shares))]
        if not all(isinstance(cell, float) and abs(cell - share) < 1e-6 for cell, share in zip(cells, shares)):
            sys.exit(f"xlsx summary: {cells}, not {shares}")


def main():
    """Compares everything."""
    folder = pathlib.Path(sys.argv[1])
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    schema = json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(report, schema)
    if (folder / "data.json").exists():
        check_page(folder, report)
    sheets = workbook(folder / "report.xlsx")
    check_summary(sheets["Summary"], report["tables"])
    compared = 0
    for table, rows in report["tables"].items():
        with open(folder / f"{table}.csv", newline="", encoding="utf-8") as file:
            comma = list(csv.reader(file))
        tab = [line.split("\t") for line in (folder / f"{table}.tsv").read_text(encoding="utf-8").splitlines()]
        mark = markdown(folder / f"{table}.markdown")
        has_sheet = bool(rows) and table != "latencies"
        if has_sheet != (sheet_name(table) in sheets):
            sys.exit(f"xlsx {table}: a sheet without rows, or none")
        sheet = sheets.get(sheet_name(table))
        read = [("csv", comma), ("tsv", tab), ("markdown", mark)] + ([("xlsx", sheet)] if has_sheet else [])
        for where, cells in read:
            if len(cells) != len(rows) + 1:
                sys.exit(f"{where} {table}: {len(cells) - 1} rows, not {len(rows)}")
            if rows and where != "xlsx" and cells[0] != list(rows[0]):
                sys.exit(f"{where} {table}: columns {cells[0]}")
        check(f"csv {table}", rows, lambda row, at: comma[row + 1][at])
        check(f"tsv {table}", rows, lambda row, at: tab[row + 1][at])
        check(f"markdown {table}", rows, lambda row, at: mark[row + 1][at])
        if has_sheet:
            check(f"xlsx {table}", rows, lambda row, at: sheet[row + 1].get(at), cell_text)
        compared += sum(len(row) for row in rows)
    formulas = [name for name in ("Summary", "Speed-up") if name not in sheets]
    if formulas or compared < 100:
        sys.exit(f"missing: {formulas}, compared: {compared}")
    print(f"{compared} figures are the same in all formats")


main()
