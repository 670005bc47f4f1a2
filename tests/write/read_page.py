"""read_page.py: compares the data in the report's page with the JSON report: read_page.py DATA.json REPORT.json."""
# SPDX-License-Identifier: MIT
import json
import sys


def main():
    """Names the values of rows as the page does, then compares."""
    with open(sys.argv[1], encoding="utf-8") as file:
        page = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        report = json.load(file)
    tables = page["report"]["tables"]
    for table in page["tables"]:
        names = [column["name"] for column in table["columns"]]
        tables[table["name"]] = [dict(zip(names, row, strict=True)) for row in tables[table["name"]]]
    if page["report"] != report:
        sys.exit("the page says something else than the JSON report")


main()
