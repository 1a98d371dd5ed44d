"""Runs the flows of the service document against a service, from its text alone: standard library, no client of ours.

    python3 flows.py <url> <api key> <audience id> <receiver port>

The account has to be fresh, on the paid plan, without a request limit, with one flow whose id the admin API gives. Exits 0
and prints how many claims held, or stops at the first that does not.
"""
import hashlib
import hmac
import http.client
import http.server
import json
import queue
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

URL, KEY, AUDIENCE, PORT = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
held = 0


def claim(title, got, wanted):
    global held
    if got != wanted:
        sys.exit(f"{title}: got {got!r}, wanted {wanted!r}")
    held += 1


def ask(method, path, body=None, key=KEY, **headers):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data=data, method=method)
    if key:
        request.add_header("Authorization", f"Bearer {key}")
    if data is not None:
        request.add_header("Content-Type", "application/json")
    for name, value in headers.items():
        request.add_header(name.replace("_", "-"), value)
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, json.loads(response.read() or b"null"), response.headers
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null"), error.headers


def refused(title, answer, status, code):
    claim(title, (answer[0], answer[1]["error"]["code"]), (status, code))
    claim(title + ": request_id", isinstance(answer[1]["error"]["request_id"], str), True)


def authentication():
    refused("no key", ask("GET", "/v1/audiences", key=None), 401, "invalid_api_key")
    refused("unknown key", ask("GET", "/v1/audiences", key="nobody"), 401, "invalid_api_key")
    refused("test key", ask("GET", "/v1/audiences", key="service_test_x"), 403, "test_keys_not_supported")
    plain = ask("POST", "/_emulator/keys", {"scopes": []})[1]["api_key"]
    claim("base grant", ask("GET", "/v1/automations", key=plain)[0], 200)
    refused("webhooks without scope", ask("GET", "/v1/webhooks", key=plain), 403, "insufficient_scope")
    ask("DELETE", "/_emulator/keys", {"api_key": plain})
    refused("revoked", ask("GET", "/v1/audiences", key=plain), 401, "revoked_api_key")


def audiences():
    status, made, headers = ask("POST", "/v1/audiences", {"name": "Outside"}, Idempotency_Key="outside-1")
    claim("create", (status, made["object"], "contact_counts" in made), (201, "audience", False))
    claim("rate headers", all(headers[name] for name in ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")), True)
    again = ask("POST", "/v1/audiences", {"name": "Outside"}, Idempotency_Key="outside-1")
    claim("replay", (again[0], again[1], again[2]["Idempotency-Replayed"]), (201, made, "true"))
    other = ask("POST", "/v1/audiences", {"name": "Other"}, Idempotency_Key="outside-1")
    refused("other body", other, 409, "idempotency_conflict")
    path = "/v1/audiences/" + made["id"]
    claim("counts", ask("GET", path)[1]["contact_counts"], {"subscribed": 0, "unsubscribed": 0, "total": 0})
    claim("rename", ask("PATCH", path, {"name": "Renamed"})[1]["name"], "Renamed")
    refused("no name", ask("POST", "/v1/audiences", {}), 400, "invalid_request")
    claim("delete", ask("DELETE", path)[:2], (200, {"id": made["id"], "deleted": True}))
    refused("gone", ask("GET", path), 404, "not_found")


def contacts():
    base = f"/v1/audiences/{AUDIENCE}/contacts"
    claim("suppress", ask("POST", "/v1/suppressions", {"reason": "bounced", "emails": ["Out@example.com "]})[1]["total_suppressed_after"], 1)
    people = [{"email": f"p{n}@example.com", "attributes": {"Company / Org": "Acme"}} for n in range(998)]
    left = {"email": " Left@Example.com", "status": "unsubscribed", "unsubscribed_at": "2020-01-02T03:04:05.006Z"}
    status, answer, _ = ask("POST", base + "/batch", {"upsert": True, "contacts": people + [left, {"email": "out@example.com"}]})
    claim("batch", (status, answer["summary"]), (200, {"created": 999, "updated": 0, "failed": 1}))
    failed = [(each["index"], each["error"]["code"]) for each in answer["results"] if each["status"] == "failed"]
    claim("suppressed row", failed, [(999, "email_suppressed")])
    refused("1,001", ask("POST", base + "/batch", {"contacts": people + people[:3]}), 400, "batch_too_large")
    refused("twice", ask("POST", base + "/batch", {"contacts": [people[0], {"email": "P0@example.com"}]}), 400, "invalid_request")
    refused("number", ask("POST", base + "/batch", {"contacts": [{"email": "a@example.com", "attributes": {"n": 1}}]}), 400, "invalid_request")
    claim("counts", ask("GET", f"/v1/audiences/{AUDIENCE}")[1]["contact_counts"], {"subscribed": 998, "unsubscribed": 1, "total": 999})
    one = ask("GET", base + "/" + urllib.parse.quote("left@example.com", safe=""))[1]
    claim("look-up", (one["status"], one["unsubscribed_at"]), ("unsubscribed", "2020-01-02T03:04:05.006Z"))
    claim("by id", ask("GET", f"{base}/{one['id']}?expand=topics")[1]["email"], "left@example.com")
    claim("snake_case", ask("GET", base + "/p1@example.com")[1]["attributes"], {"company_org": "Acme"})
    seen, after = [], ""
    while True:
        page = ask("GET", f"{base}?limit=100{after}")[1]
        seen += [each["email"] for each in page["data"]]
        if not page["has_more"]:
            claim("last cursor", page["next_cursor"], None)
            break
        after = "&after=" + urllib.parse.quote(page["next_cursor"], safe="")
    claim("pages", (len(seen), len(set(seen)), seen[0], seen[-1]), (999, 999, "left@example.com", "p0@example.com"))
    refused("limit", ask("GET", base + "?limit=101"), 400, "invalid_request")
    refused("reason", ask("POST", "/v1/suppressions", {"emails": ["a@example.com"]}), 400, "invalid_request")
    claim("suppressions", len(ask("GET", "/v1/suppressions?limit=1")[1]["data"]), 1)


def automations():
    flow = ask("POST", "/_emulator/automations", {"name": "Welcome"})[1]["id"]
    draft = ask("POST", "/_emulator/automations", {"name": "Draft", "status": "draft"})[1]["id"]
    listed = ask("GET", "/v1/automations")[1]["data"]
    claim("newest first", [each["id"] for each in listed], [draft, flow])
    claim("draft", (listed[0]["status"], listed[0]["live_version"]), ("draft", None))
    refused("status", ask("GET", "/v1/automations?status=odd"), 400, "invalid_request")
    enroll = f"/v1/automations/{flow}/enroll"
    for body, outcome in (
        ({"email": "P1@example.com"}, "enrolled"),
        ({"email": "p1@example.com"}, "already_enrolled"),
        ({"email": "left@example.com"}, "not_subscribed"),
        ({"email": "bea@example.com"}, "not_subscribed"),
        ({"email": "new@example.com", "attributes": {}}, "enrolled"),
    ):
        status, answer, _ = ask("POST", enroll, body)
        claim(str(body), (status, answer["outcome"], "enrollment_id" in answer), (200, outcome, outcome == "enrolled"))
    refused("bad address", ask("POST", enroll, {"email": "nobody"}), 400, "invalid_email")
    refused("suppressed", ask("POST", enroll, {"email": "out@example.com", "attributes": {}}), 409, "email_suppressed")
    refused("draft", ask("POST", f"/v1/automations/{draft}/enroll", {"email": "p2@example.com"}), 409, "invalid_request")
    refused("nothing", ask("POST", "/v1/automations/aut_x/enroll", {"email": "p2@example.com"}), 404, "not_found")


def webhooks():
    arrived = queue.Queue()
    statuses = iter([500, 200])

    class Receiver(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            arrived.put((dict(self.headers), raw))
            self.send_response(next(statuses, 200))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", PORT), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    refused("http", ask("POST", "/v1/webhooks", {"url": "http://example.com/", "events": ["email.sent"]}), 400, "invalid_request")
    refused("metadata", ask("POST", "/v1/webhooks", {"url": "https://169.254.169.254/", "events": ["email.sent"]}), 400, "invalid_request")
    body = {"url": f"http://127.0.0.1:{PORT}/hook", "events": ["suppression.created"]}
    hook = ask("POST", "/v1/webhooks", body)[1]
    path = "/v1/webhooks/" + hook["id"]
    claim("secret once", "secret" in ask("GET", path)[1], False)
    ask("POST", "/v1/suppressions", {"reason": "complained", "emails": ["gone@example.com"]})
    headers, raw = arrived.get(timeout=10)
    t, v1 = (part.split("=", 1)[1] for part in headers["service-signature"].split(","))
    good = hmac.new(hook["secret"].encode(), f"{t}.".encode() + raw, hashlib.sha256).hexdigest()
    claim("signature", hmac.compare_digest(v1, good), True)
    event = json.loads(raw)
    claim("event", (event["type"], event["data"]["reason"]), ("suppression.created", "complaint"))
    wait(lambda: ask("GET", path)[1]["consecutive_failures"] == 1)
    ask("POST", "/_emulator/clock", {"advance_ms": 30_000})
    headers, again = arrived.get(timeout=10)
    claim("repeat", (headers["service-delivery-attempt"], again), ("2", raw))
    wait(lambda: ask("GET", path)[1]["consecutive_failures"] == 0)
    claim("log", [each["status"] for each in ask("GET", path + "/deliveries")[1]["data"]], ["delivered"])
    claim("delete", ask("DELETE", path)[:2], (200, {"id": hook["id"], "deleted": True}))
    server.shutdown()


def wait(condition):
    for _ in range(500):
        if condition():
            return
        time.sleep(0.02)
    sys.exit("waited in vain")


def emails():
    body = {"from": "News <news@example.com>", "to": ["bounce@example.com"], "subject": "Hi", "text": "Hello"}
    sent = ask("POST", "/v1/emails", body, Idempotency_Key="mail-1")[1]["id"]
    claim("one email", ask("POST", "/v1/emails", body, Idempotency_Key="mail-1")[1]["id"], sent)
    refused("51", ask("POST", "/v1/emails", {**body, "to": [f"r{n}@example.com" for n in range(51)]}), 400, "invalid_request")
    refused("no subject", ask("POST", "/v1/emails", {**body, "subject": None}), 400, "invalid_request")
    ask("POST", "/_emulator/clock", {"advance_ms": 2_000})
    claim("suppressed", ask("GET", "/v1/suppressions?limit=1")[1]["data"][0]["email"], "bounce@example.com")
    refused("bounced", ask("POST", "/v1/emails", body), 400, "email_suppressed")


def mcp():
    def rpc(method, params):
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return ask("POST", "/mcp", message, Accept="application/json, text/event-stream")[1]

    hello = rpc("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "flows", "version": "1"}})
    claim("initialize", "tools" in hello["result"]["capabilities"], True)
    tools = {each["name"]: each for each in rpc("tools/list", {})["result"]["tools"]}
    claim("mirrors", {"service_list_automations", "service_enroll_in_automation"} <= set(tools), True)
    claim("destructive", sum(each["annotations"]["destructiveHint"] for each in tools.values()), 2)
    listed = rpc("tools/call", {"name": "service_list_automations", "arguments": {}})["result"]
    claim("call", [each["name"] for each in json.loads(listed["content"][0]["text"])["data"]], ["Draft", "Welcome"])


def concurrency():
    """One key, many at once: one effect, the others replay or are told to wait."""
    answers = queue.Queue()
    before = ask("GET", "/_emulator/state")[1]["audiences"]

    def once():
        answers.put(ask("POST", "/v1/audiences", {"name": "At once"}, Idempotency_Key="at-once"))

    threads = [threading.Thread(target=once) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seen = [answers.get() for _ in threads]
    claim("statuses", {answer[0] for answer in seen} <= {201, 409}, True)
    claim("one effect", ask("GET", "/_emulator/state")[1]["audiences"], before + 1)


def foreign():
    connection = http.client.HTTPConnection(URL.split("//")[1])
    connection.request("GET", "/v1/audiences", headers={"Host": "evil.example.com", "Authorization": f"Bearer {KEY}"})
    claim("foreign host", connection.getresponse().status, 403)


for flow in (authentication, audiences, contacts, automations, webhooks, emails, mcp, concurrency, foreign):
    flow()
print(held)
