"""read_hostile.py: checks that no name of a hostile report became markup, a formula or a line of its own."""
# SPDX-License-Identifier: MIT
# read_hostile.py FOLDER SAMPLES: FOLDER has the files of hostile-test.sh; SAMPLES is the number of samples in stacks.
import csv
import gzip
import html.parser
import pathlib
import re
import sys
import xml.etree.ElementTree as xml
import zipfile

SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


class Elements(html.parser.HTMLParser):
    """Counts scripts."""

    def __init__(self):
        super().__init__()
        self.scripts = 0

    def handle_starttag(self, tag, attrs):
        self.scripts += tag == "script"


def check_csv(folder):
    """No cell begins like a formula, except for numbers."""
    for path in folder.glob("*.csv"):
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.reader(file):
                for cell in row:
                    if re.match(r"[=+@]|-[^\d.i]", cell):
                        sys.exit(f"{path.name}: a cell that a spreadsheet computes: {cell[:60]}")


def check_xlsx(path):
    """The only formulas are those of the writer."""
    book = zipfile.ZipFile(path)
    for name in book.namelist():
        if not name.startswith("xl/worksheets/sheet"):
            continue
        for formula in xml.fromstring(book.read(name)).iter(SHEET + "f"):
            if "1+2" in formula.text or "SUM(A1)" in formula.text or "cmd" in formula.text:
                sys.exit(f"{name}: a name became a formula: {formula.text}")


def check_long(path):
    """A name that is too long for a cell is cut between characters."""
    strings = xml.fromstring(zipfile.ZipFile(path).read("xl/sharedStrings.xml"))
    texts = ["".join(item.itertext()) for item in strings]
    if not any(re.fullmatch("xü{15000,}", text) for text in texts):
        sys.exit(f"{path.name}: the long name is not there: {[text[-9:] for text in texts if text.startswith('xü')]}")
    if max(map(len, texts)) > 32767:
        sys.exit(f"{path.name}: a text is too long for a cell")


def check_text(path):
    """Text is UTF-8 without control characters other than line feeds."""
    bad = re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\uffff]", path.read_text(encoding="utf-8"))
    if bad:
        sys.exit(f"{path.name}: a name gets {bad.group()!r} to the terminal")


def check_pictures(folder):
    """Pictures are XML without scripts, or complete PNG files."""
    for path in folder.glob("*.png"):
        data = path.read_bytes()
        if not data.startswith(b"\x89PNG\r\n\x1a\n") or data[-8:-4] != b"IEND":
            sys.exit(f"{path.name}: no whole picture")
    if len(list(folder.glob("*.png"))) != len(list(folder.glob("*.svg"))):
        sys.exit("not each picture is there in both formats")
    for path in folder.glob("*.svg"):
        for element in xml.parse(path).iter():
            if element.tag.endswith("}script") and element.text and "document.title" in element.text:
                sys.exit(f"{path.name}: a name became a script")


def fields(message):
    """Yields the fields of a protocol buffer: number, and value or bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at, value, shift = at + 1, value | (byte & 127) << shift, shift + 7
            if byte < 128:
                return value

    while at < len(message):
        key = varint()
        if key & 7 not in (0, 2):
            sys.exit(f"pprof: a field of a kind that is not written: {key}")
        value = varint()
        if key & 7 == 2:
            at, value = at + value, message[at:at + value]
        yield key >> 3, value


def check_pprof(path, samples):
    """The strings are UTF-8 without control characters, functions refer to them, and the samples add up."""
    profile = list(fields(gzip.decompress(path.read_bytes())))
    texts = [value.decode("utf-8") for number, value in profile if number == 6]
    names = [dict(fields(value))[2] for number, value in profile if number == 5]
    bad = [text for text in texts if re.search(r"[\x00-\x1f\x7f]", text)]
    if bad or texts[0] or not names or max(names) >= len(texts) or not any("</script>" in texts[name] for name in names):
        sys.exit(f"pprof: names are not kept as they are: {bad}")
    found = sum(next(count for part, count in fields(value) if part == 2) for number, value in profile if number == 2)
    if found != samples:
        sys.exit(f"pprof: {found} samples, not {samples}")


def main():
    """Checks all files."""
    folder = pathlib.Path(sys.argv[1])
    check_csv(folder)
    check_xlsx(folder / "report.xlsx")
    check_long(folder / "report.xlsx")
    check_pictures(folder)
    check_text(folder / "report.text")
    check_pprof(folder / "report.pprof", int(sys.argv[2]))
    folded = (folder / "report.folded").read_text(encoding="utf-8").splitlines()
    found = sum(int(re.fullmatch(r"[^\x00-\x1f]+ (\d+)", line).group(1)) for line in folded)
    if found != int(sys.argv[2]):
        sys.exit(f"{found} folded samples, not {sys.argv[2]}")
    page = folder / "report.html"
    if page.exists():
        elements = Elements()
        elements.feed(page.read_text(encoding="utf-8"))
        if elements.scripts != 2:
            sys.exit(f"{elements.scripts} scripts in the page, not its own two")
    print("names stay names")


main()
