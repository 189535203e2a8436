"""A browser on a running program's page, with its session."""

import json
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any, Final

ANSWER_S: Final = 240.0


@dataclass
class BrowserSession:
    """A browser on the page at a port of loopback, and its cookies."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)

    def send(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        host = f"127.0.0.1:{self.port}"
        headers = {"Content-Type": "application/json", "Origin": f"http://{host}"}
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        with closing(HTTPConnection(host, timeout=ANSWER_S)) as connection:
            sent = None if body is None else json.dumps(body)
            connection.request(method, path, sent, headers)
            answer = connection.getresponse()
            if cookie := answer.headers.get("set-cookie"):
                name, _, value = cookie.partition(";")[0].partition("=")
                self.cookies[name] = value
            return answer.status, json.loads(answer.read())

    def get(self, path: str) -> Any:
        status, body = self.send("GET", path)
        assert status == 200, (path, status, body)
        return body

    def post(self, path: str, body: Any) -> None:
        status, answer = self.send("POST", path, body)
        assert status == 200, (path, body, status, answer)
