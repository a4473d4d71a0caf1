"""Opens what the library writes with planning tools and programs of others, and compares what they see.

	python3 check.py PROGRAM FOLDER [planner tj3 pictures paper tables office]

The program has the verbs of "twinplatform plan", as cmd/planner has. Without names it tries all: GNOME
Planner, TaskJuggler, the programs that draw SVG, Poppler and qpdf, openpyxl and LibreOffice. What it writes is in the folder. It prints each
difference, and exits with 1 if there is one.
"""

import csv
import glob
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SPACE = {"p": "http://schemas.microsoft.com/project"}
LINKS = {"0": "FF", "1": "FS", "2": "SF", "3": "SS"}

differences = []


def differ(what, want, got):
    """Notes a difference, if there is one."""
    if want != got:
        differences.append(f"{what}: {got!r}, and it is {want!r}")


def seconds(span):
    """A duration of Microsoft Project, which it writes as PT8H0M0S; nothing is -1."""
    if not span:
        return -1
    hours, _, rest = span.removeprefix("PT").partition("H")
    minutes, _, rest = rest.partition("M")
    return int(hours) * 3600 + int(minutes) * 60 + int(rest.removesuffix("S"))


class Check:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *arguments):
        """What a verb of the program prints."""
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(arguments)}: {done.stderr}")
        return done.stdout

    def convert(self, plan, to):
        """A plan as a file of another format, which is named after it."""
        path = os.path.join(self.folder, os.path.basename(plan) + "." + {"mspdi": "msp.xml", "p6xml": "p6.xml", "xer": "xer"}[to])
        self.run("convert", "-format", to, "-o", path, plan)
        return path

    def dates(self, plan):
        """When the tasks of a plan begin and end by their names, as the program computes it."""
        projects = json.loads(self.run("analyze", "-json", plan))["projects"]
        return {t["name"]: (t["computed"]["start"], t["computed"]["finish"]) for p in projects for t in p["tasks"]}

    def planner(self):
        """GNOME Planner sees the tree, the durations, the milestones and the links of each plan, and the
        dates of one whose calendar is its own."""
        tower = os.path.join(HERE, "tower.xer")
        plans = [tower, *sorted(glob.glob(os.path.join(ROOT, "schedules/planner/testdata/*.x*")))]
        for plan in plans:
            path = self.convert(plan, "mspdi")
            opened = subprocess.run([sys.executable, os.path.join(HERE, "gnome_planner.py"), path], capture_output=True, text=True)
            if opened.returncode:
                differences.append(f"{plan}: GNOME Planner fails: {opened.stderr[-300:]}")
                continue
            seen, written = json.loads(opened.stdout), mspdi(path)
            name = os.path.basename(plan)
            differ(f"{name}: tasks", [t["name"] for t in written], [t["name"] for t in seen])
            for want, got in zip(written, seen):
                for member in ("level", "milestone", "links") + (() if want["summary"] else ("duration",)):
                    differ(f"{name}: {want['name']}: {member}", want[member], got[member])
            if plan == tower:
                for task in seen:
                    if not task["milestone"]:
                        differ(f"{name}: {task['name']}: dates", self.dates(plan)[task["name"]], (task["start"], task["finish"]))

    def tj3(self):
        """A plan that TaskJuggler exports is the plan that TaskJuggler has, in each format."""
        subprocess.run(["tj3", "--silent", "-o", self.folder, os.path.join(HERE, "tower.tjp")], check=True)
        with open(os.path.join(self.folder, "table.csv")) as table:
            truth = list(csv.DictReader(table, delimiter=";"))
        exported = os.path.join(self.folder, "tower.xml")
        for path in [exported] + [self.convert(exported, to) for to in ("xer", "p6xml", "mspdi")]:
            dates = self.dates(path)
            name = os.path.basename(path)
            for row in truth:
                task, summary = row["Name"].strip(), row["Completion"] and not row["Name"].startswith("    ")
                if not summary:
                    differ(f"{name}: {task}: finish", row["End"], dates[task][1])
        for row, task in zip(truth, mspdi(self.convert(exported, "mspdi"))):
            differ("tower: name", row["Name"].strip(), task["name"])
            differ(f"tower: {task['name']}: level", row["BSI"].count(".") + 1, task["level"])
            differ(f"tower: {task['name']}: done", False, task["done"])
            if row["Effort"] and not task["summary"]:
                differ(f"tower: {task['name']}: work", float(row["Effort"].removesuffix("d")) * 8 * 3600, float(task["work"]))

    def pictures(self):
        """Each text of a chart is seen where it stands, by each program that draws it."""
        plan = os.path.join(ROOT, "schedules/planner/testdata/mspdi-mp_j30_a2_nr1.xml")
        for name, source in (("tower", os.path.join(HERE, "tower.xer")), ("plan", plan)):
            path = os.path.join(self.folder, name + ".svg")
            self.run("gantt", "-o", path, source)
            for renderer, draw in (("librsvg", librsvg), ("CairoSVG", cairosvg)):
                png = os.path.join(self.folder, f"{name}.{renderer}.png")
                draw(path, png)
                for text in unseen(path, png):
                    differences.append(f"{name}.svg by {renderer}: {text} is not seen")

    def paper(self):
        """A PDF is sound, and Poppler sees each text of the same pictures in it."""
        plan = os.path.join(ROOT, "schedules/planner/testdata/mspdi-mp_j30_a2_nr1.xml")
        for verb, source in (("gantt", os.path.join(HERE, "tower.xer")), ("gantt", plan), ("progress", plan), ("risk", plan)):
            name = f"{os.path.basename(source)}.{verb}"
            path = os.path.join(self.folder, name + ".pdf")
            more = ["-rows", "24"] if verb == "gantt" else []
            self.run(verb, *more, "-o", path, source)
            checked = subprocess.run(["qpdf", "--check", path], capture_output=True, text=True)
            differ(f"{name}: qpdf", (0, ""), (checked.returncode, checked.stderr))
            pages = self.pages(path)
            for number, page in enumerate(pages, 1):
                svg = os.path.join(self.folder, f"{name}.{number}.svg")
                self.run(verb, *more, *(["-page", str(number)] if verb == "gantt" else []), "-o", svg, source)
                for text in ET.parse(svg).iter("{http://www.w3.org/2000/svg}text"):
                    words = "".join((text.text or "").replace("\u2068", "").replace("\u2069", "").split())
                    if words not in page:
                        differences.append(f"{name}, page {number}: {text.text!r} is not seen")

    def pages(self, path):
        """The text of each page of a PDF, without what is between words."""
        text = subprocess.run(["pdftotext", "-raw", path, "-"], check=True, capture_output=True, text=True).stdout
        return ["".join(page.split()) for page in text.removesuffix("\f").split("\f")]

    def tables(self):
        """A workbook has the cells of the same table as CSV, as numbers, dates and texts, below a row that stays."""
        for path, lines in self.workbooks():
            name = os.path.basename(path)
            differ(f"{name}: first row that moves", "A2", self.same(name, path, lines).freeze_panes)

    def office(self):
        """LibreOffice opens each workbook and has the same cells when it writes it anew."""
        folder = os.path.join(self.folder, "office")
        books = list(self.workbooks())
        profile = "-env:UserInstallation=file://" + os.path.join(self.folder, "profile")
        subprocess.run(["soffice", profile, "--headless", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", folder,
                        *(path for path, _ in books)], check=True, capture_output=True)
        for path, lines in books:
            name = os.path.basename(path)
            self.same(name + " by LibreOffice", os.path.join(folder, name), lines)

    def workbooks(self):
        """The tables of plans, one of which has a formula for a name, with their lines in CSV."""
        with open(os.path.join(HERE, "tower.xer"), encoding="utf-8") as plan:
            text = plan.read()
        formula = os.path.join(self.folder, "formula.xer")
        with open(formula, "w", encoding="utf-8") as plan:
            plan.write(text.replace("\tWalls\t", "\t=1+1\t"))
        for plan in (formula, *sorted(glob.glob(os.path.join(ROOT, "schedules/planner/testdata/*.x*")))):
            for verb in ("tasks", "links", "resources", "progress"):
                path = os.path.join(self.folder, f"{os.path.basename(plan)}.{verb}.xlsx")
                self.run(verb, "-o", path, plan)
                yield path, list(csv.reader(self.run(verb, plan).removeprefix("\ufeff").splitlines()))

    def same(self, name, path, lines):
        """Compares the first sheet of a workbook with lines of CSV, and returns it."""
        import openpyxl

        sheet = openpyxl.load_workbook(path).worksheets[0]
        differ(f"{name}: rows", len(lines), sheet.max_row)
        for row, line in zip(sheet.iter_rows(), lines):
            for cell, field in zip(row, line):
                if cell.data_type == "f":
                    differ(f"{name}: {cell.coordinate}", "no formula", cell.value)
                elif cell.is_date:
                    differ(f"{name}: {cell.coordinate}", field, cell.value.strftime("%Y-%m-%d %H:%M"))
                elif cell.data_type == "n" and cell.value is not None:
                    differ(f"{name}: {cell.coordinate}", float(field), float(cell.value))
                else:
                    text = field.removeprefix("'") if field[:2] in ("'=", "'+", "'-", "'@") else field
                    differ(f"{name}: {cell.coordinate}", text, cell.value or "")
        return sheet


def librsvg(svg, png):
    subprocess.run(["rsvg-convert", "-o", png, svg], check=True)


def cairosvg(svg, png):
    code = "import sys, cairosvg; cairosvg.svg2png(url=sys.argv[1], write_to=sys.argv[2])"
    subprocess.run([sys.executable, "-c", code, svg, png], check=True)


def unseen(svg, png):
    """The texts of a picture of which there is nothing in a drawing of it."""
    from PIL import Image

    drawn = Image.open(png).convert("RGBA")
    ground = Image.new("RGBA", drawn.size, "white")
    ground.alpha_composite(drawn)
    grey = ground.convert("L")

    def texts(element, down):
        moved = element.get("transform", "")
        if moved.startswith("translate("):
            down += float(moved.removeprefix("translate(").removesuffix(")").split()[1])
        for child in element:
            if child.tag.endswith("}text") and (child.text or "").strip():
                yield child, float(child.get("x", 0)), down + float(child.get("y", 0))
            elif not child.tag.endswith("}defs"):
                yield from texts(child, down)

    for text, x, y in texts(ET.parse(svg).getroot(), 0.0):
        classes = text.get("class", "").split()
        if classes[:1] == ["o"]:
            continue  # the ground behind a label
        width = 5 * len(text.text)
        left = {True: x - width, False: x}["n" in classes] - (width / 2 if "e" in classes else 0)
        box = (max(int(left), 0), max(int(y) - 9, 0), min(int(left + width) + 1, grey.width), min(int(y) + 2, grey.height))
        if box[0] < box[2] and grey.crop(box).getextrema()[0] > 150:
            yield repr(text.text)


def mspdi(path):
    """The tasks of a file of Microsoft Project in their order, without the one that is the project."""
    found, numbers = [], {}
    for task in ET.parse(path).getroot().iterfind("p:Tasks/p:Task", SPACE):
        def say(name, task=task):
            return task.findtext("p:" + name, "", SPACE)

        if say("UID") == "0":
            continue
        numbers[say("UID")] = len(found)
        found.append({
            "name": say("Name"), "level": int(say("OutlineLevel")), "summary": say("Summary") == "1", "milestone": say("Milestone") == "1",
            "duration": seconds(say("Duration")), "work": seconds(say("Work")), "done": say("ActualFinish") != "",
            "links": [(link.findtext("p:PredecessorUID", "", SPACE), link.findtext("p:Type", "", SPACE)) for link in task.iterfind("p:PredecessorLink", SPACE)],
        })
    for task in found:
        task["links"] = sorted([numbers[uid], LINKS[typ]] for uid, typ in task["links"])
    return found


def main():
    check = Check(sys.argv[1], sys.argv[2])
    for name in sys.argv[3:] or ["planner", "tj3", "pictures", "paper", "tables", "office"]:
        before = len(differences)
        getattr(check, name)()
        print(f"{name}: {len(differences) - before} differences")
    for line in differences[:50]:
        print(line)
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
