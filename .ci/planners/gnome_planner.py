"""Opens a file of Microsoft Project as GNOME Planner imports it, and prints its tasks as JSON.

Planner itself is a window. What it imports with is its style sheet and its library, which are called
here as it calls them: the style sheet makes a file of its own of one of Microsoft Project, and the
library reads that and schedules it.

	python3 gnome_planner.py plan.xml
"""

import ctypes
import datetime
import glob
import json
import subprocess
import sys

SHEET = "/usr/share/planner/stylesheets/msp2planner.xsl"
TYPES = {1: "FS", 2: "FF", 3: "SS", 4: "SF"}


class List(ctypes.Structure):
    """A GList."""


List._fields_ = [("data", ctypes.c_void_p), ("next", ctypes.POINTER(List)), ("prev", ctypes.POINTER(List))]


def library():
    """The library with the types of what is called of it."""
    found = glob.glob("/usr/lib/*/planner/libplanner-1.so.1") + glob.glob("/usr/lib/*/libplanner-1.so.*")
    lib = ctypes.CDLL(found[0])
    pointer = ctypes.c_void_p
    for name, result, arguments in (
        ("mrp_application_new", pointer, []),
        ("mrp_project_new", pointer, [pointer]),
        ("mrp_project_load_from_xml", ctypes.c_int, [pointer, ctypes.c_char_p, pointer]),
        ("mrp_project_get_root_task", pointer, [pointer]),
        ("mrp_task_get_first_child", pointer, [pointer]),
        ("mrp_task_get_next_sibling", pointer, [pointer]),
        ("mrp_task_get_name", ctypes.c_char_p, [pointer]),
        ("mrp_task_get_duration", ctypes.c_int, [pointer]),
        ("mrp_task_get_work_start", ctypes.c_long, [pointer]),
        ("mrp_task_get_finish", ctypes.c_long, [pointer]),
        ("mrp_task_get_task_type", ctypes.c_int, [pointer]),
        ("mrp_task_get_predecessor_relations", ctypes.POINTER(List), [pointer]),
        ("mrp_relation_get_predecessor", pointer, [pointer]),
        ("mrp_relation_get_relation_type", ctypes.c_int, [pointer]),
    ):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


def when(seconds):
    """A time of Planner, which knows no zones."""
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")


def tasks(path):
    """The tasks of a plan in their order, as Planner has them."""
    own = subprocess.run(["xsltproc", SHEET, path], check=True, capture_output=True).stdout
    lib = library()
    project = lib.mrp_project_new(lib.mrp_application_new())
    if not lib.mrp_project_load_from_xml(project, own, None):
        sys.exit("GNOME Planner cannot load " + path)
    found, numbers = [], {}

    def add(task, level):
        numbers[task] = len(found)
        found.append((task, level))
        child = lib.mrp_task_get_first_child(task)
        while child:
            add(child, level + 1)
            child = lib.mrp_task_get_next_sibling(child)

    top = lib.mrp_task_get_first_child(lib.mrp_project_get_root_task(project))
    while top:
        add(top, 1)
        top = lib.mrp_task_get_next_sibling(top)
    for task, level in found:
        links, relations = [], lib.mrp_task_get_predecessor_relations(task)
        while relations:
            relation = relations.contents.data
            links.append([numbers[lib.mrp_relation_get_predecessor(relation)], TYPES[lib.mrp_relation_get_relation_type(relation)]])
            relations = relations.contents.next
        yield {
            "name": lib.mrp_task_get_name(task).decode(), "level": level, "milestone": lib.mrp_task_get_task_type(task) == 1,
            "duration": lib.mrp_task_get_duration(task), "links": sorted(links),
            "start": when(lib.mrp_task_get_work_start(task)), "finish": when(lib.mrp_task_get_finish(task)),
        }


if __name__ == "__main__":
    json.dump(list(tasks(sys.argv[1])), sys.stdout, indent=1)
