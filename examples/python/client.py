"""A client of the tasks of a schedule, with nothing but the standard library.

It waits as long as a 429 or 503 says, sends a request again when its answer was lost,
follows operations to their end, and reads lists page by page and change by change.
"""

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request


class Failed(Exception):
    """What the server answered, or why an operation failed."""


class Client:
    def __init__(self, url, token, schedule, sleep=time.sleep):
        self.schedule = f"{url}/schedules/{schedule}"
        self.token = token
        self.sleep = sleep

    def create_task(self, id, name):
        """Creates a task under an id of the caller's own, so that sending it again makes no second one."""
        body = {"id": id, "name": name, "type": "Work"}
        for attempt in range(10):
            try:
                answer = self._send("POST", f"{self.schedule}/tasks", body)
                return self._follow(answer["_links"]["operationLocation"]["href"])
            except urllib.error.HTTPError as e:
                if e.code == 409 and attempt > 0:
                    return None  # an earlier attempt made it
                if e.code not in (429, 503):
                    raise Failed(json.load(e)["error"]["message"]) from e
                self.sleep(int(e.headers.get("Retry-After", 1)))
            except (urllib.error.URLError, http.client.HTTPException, ConnectionError):
                self.sleep(1)  # the task may be there, or not
        raise Failed("the server does not answer")

    def tasks(self, page_size=100):
        """Yields all tasks, and returns the delta token of their list."""
        return (yield from self._pages(f"$top={page_size}"))

    def changes(self, delta_token):
        """Yields the tasks that were created, changed or deleted since a delta token, and returns the next token."""
        return (yield from self._pages("$deltaToken=" + urllib.parse.quote(delta_token)))

    def _pages(self, query):
        url = f"{self.schedule}/tasks?{query}"
        while True:
            headers = {}
            page = self._send("GET", url, headers=headers)
            yield from page["tasks"]
            if not page["_links"].get("next"):
                return headers["delta-token"]
            url = page["_links"]["next"]["href"]

    def _follow(self, url):
        while True:
            operation = self._send("GET", url)["operation"]
            if operation["status"] == "Succeeded":
                return operation
            if operation["status"] == "Failed":
                raise Failed(operation["failureDescription"])
            self.sleep(1)

    def _send(self, method, url, body=None, headers=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
        request.add_header("Authorization", f"Bearer {self.token}")
        with urllib.request.urlopen(request, timeout=30) as answer:
            if headers is not None:
                headers.update({k.lower(): v for k, v in answer.headers.items()})
            return json.load(answer)
