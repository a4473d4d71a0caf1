"""The tests of the client, against a server with test controls:

    twinplatform -test-controls
    python3 -m unittest discover -s examples/python
"""

import json
import os
import unittest
import urllib.request
import uuid

from client import Client, Failed

URL = os.environ.get("TWIN_URL", "http://127.0.0.1:4790")
TOKEN = os.environ.get("TWIN_TOKEN", "demo")


def call(method, path, body=None):
    """Sends a request of the test itself."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data, {"Authorization": f"Bearer {TOKEN}"}, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:
        text = answer.read()
        return json.loads(text) if text else None


def advance(seconds):
    """Lets time go by on the server, at once."""
    call("POST", "/_test/clock", {"advance": f"{seconds}s"})


class ClientTest(unittest.TestCase):
    def setUp(self):
        for control in ("faults", "journal", "operations"):
            call("DELETE", f"/_test/{control}")
        plan = str(uuid.uuid4())  # each test has its own twin and schedule
        twin = call("POST", "/twins", {"class": "Endeavor", "displayName": plan})["twin"]["id"]
        call("POST", "/schedules", {"id": plan, "name": "Plan", "twinId": twin})
        self.client = Client(URL, TOKEN, plan, sleep=advance)

    def calls(self, operation):
        return len(call("GET", f"/_test/journal?operation={operation}")["exchanges"])

    def names(self):
        return sorted(t["name"] for t in self.client.tasks())

    def test_waits_as_long_as_it_is_told(self):
        call("POST", "/_test/faults", {"op": "tasks.create", "status": 429, "retryAfter": "60s"})
        self.client.create_task("dig", "Dig")
        self.assertEqual(self.calls("tasks.create"), 2)
        self.assertEqual(self.names(), ["Dig"])

    def test_makes_one_task_though_the_answer_was_lost(self):
        call("POST", "/_test/faults", {"op": "tasks.create", "lost": True})
        self.client.create_task("dig", "Dig")
        self.assertEqual(self.calls("tasks.create"), 2)
        self.assertEqual(self.names(), ["Dig"])

    def test_follows_an_operation_to_its_end(self):
        call("POST", "/_test/operations", {"kind": "tasks.create", "afterPolls": 2})
        self.client.create_task("dig", "Dig")
        self.assertEqual(self.names(), ["Dig"])

    def test_tells_why_an_operation_failed(self):
        call("POST", "/_test/operations", {"kind": "tasks.create", "afterPolls": 1, "failWith": "ScheduleNotInitialized"})
        with self.assertRaisesRegex(Failed, "The schedule is not initialized"):
            self.client.create_task("dig", "Dig")

    def test_misses_nothing_that_is_written_while_it_pages(self):
        for id in ("a", "c", "e"):
            self.client.create_task(id, id)
        seen, pages = [], self.client.tasks(page_size=2)
        seen.append(next(pages)["id"])
        self.client.create_task("b", "b")
        while True:
            try:
                seen.append(next(pages)["id"])
            except StopIteration as end:
                token = end.value
                break
        seen += [t["id"] for t in self.client.changes(token)]
        self.assertLessEqual({"a", "b", "c", "e"}, set(seen))


if __name__ == "__main__":
    unittest.main()
