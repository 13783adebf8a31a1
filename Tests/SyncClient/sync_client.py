#!/usr/bin/env python3
"""A client of the sync protocol in one file, without packages: an example for people who write one. docs/sync.md specifies the protocol.

    sync_client.py --url https://example.com/sync --principal ann --key lists/42 --file ann.json pull
    sync_client.py … add '[{"claim":{"_0":1}}]'     # puts a change into the outbox; nothing is sent
    sync_client.py … push                           # sends the outbox, and prints the verdicts
    sync_client.py … live                           # prints the head of the journal whenever it changes
    sync_client.py … snapshot                       # begins at the server's snapshot: after a 410, which a new client may get, or a restart

The token comes from the environment variable ALTER_TOKEN. The file has everything that a client must keep. It is replaced as a whole: the
position and the outbox never disagree. The client reads payloads as bytes: it does not know the app, so it shows no state.

Simplifications: one process at a time uses a file; the entries themselves are printed and not kept; a failed request is not repeated.
"""
import argparse
import base64
import http.client
import json
import os
import sys
import time
import urllib.parse
import uuid

MASK = (1 << 64) - 1
DRAFT_KEY = "00000000416c74720000000044726166"  # 'Altr' 'Draf'


class Failure(Exception):
    """An error that ends the command, with advice."""


class Absent(Failure):
    """There is no journal of this key yet. The first push makes it."""


# -- Checksums ----------------------------------------------------------------------------------------------------------------------------


def siphash(key0, key1, data):
    """SipHash-2-4 with 128 bits of output, as two numbers."""
    v0, v1 = key0 ^ 0x736F6D6570736575, key1 ^ 0x646F72616E646F6D ^ 0xEE
    v2, v3 = key0 ^ 0x6C7967656E657261, key1 ^ 0x7465646279746573

    def rounds(count):
        nonlocal v0, v1, v2, v3
        for _ in range(count):
            v0 = (v0 + v1) & MASK
            v1 = ((v1 << 13 | v1 >> 51) & MASK) ^ v0
            v0 = (v0 << 32 | v0 >> 32) & MASK
            v2 = (v2 + v3) & MASK
            v3 = ((v3 << 16 | v3 >> 48) & MASK) ^ v2
            v0 = (v0 + v3) & MASK
            v3 = ((v3 << 21 | v3 >> 43) & MASK) ^ v0
            v2 = (v2 + v1) & MASK
            v1 = ((v1 << 17 | v1 >> 47) & MASK) ^ v2
            v2 = (v2 << 32 | v2 >> 32) & MASK

    # The last word has the bytes that are left, and the length of the data in its highest byte.
    padded = data + bytes(7 - len(data) % 8) + bytes([len(data) & 255])
    for place in range(0, len(padded), 8):
        word = int.from_bytes(padded[place : place + 8], "little")
        v3 ^= word
        rounds(2)
        v0 ^= word
    v2 ^= 0xEE
    rounds(4)
    first = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xDD
    rounds(4)
    return first, v0 ^ v1 ^ v2 ^ v3


def number(value):
    return (value & MASK).to_bytes(8, "little")


def field(value):
    return number(len(value)) + value


def next_checksum(previous, revision, draft, receipt=None):
    """The checksum of an entry: keyed by the checksum before it, over all of its fields."""
    origin = uuid.UUID(draft["origin"]).int
    data = number(revision) + number(draft["time"]) + number(origin >> 64) + number(origin & MASK)
    data += number(draft["sequence"]) + number(draft["schema"])
    data += field(draft["kind"].encode()) + field(draft.get("scope", "").encode()) + field(stored_bytes("payload", draft))
    cause = stored_bytes("cause", draft)
    data += number(0) if cause is None else number(1) + field(cause)
    if receipt:
        data += number(1) + number(int(receipt[0], 16)) + number(receipt[1])
    return "%016x%016x" % siphash(int(previous[:16], 16), int(previous[16:], 16), data)


def hash_of(draft):
    """The hash of a draft; for a refusal, that of the refused draft."""
    if draft["kind"] == "refused":
        return json.loads(stored_bytes("payload", draft))["hash"]
    return next_checksum(DRAFT_KEY, 0, draft)


# -- Lines --------------------------------------------------------------------------------------------------------------------------------


def parse(line):
    """Reads a line. Of 'payload' and 'cause' it keeps the bytes as well: the checksums cover the bytes and not the values."""
    decoder, text, place, object = json.JSONDecoder(), line.decode(), 1, {}
    if not text.startswith("{"):
        raise ValueError("no object")
    while text[place] != "}":
        name, place = decoder.raw_decode(text, place)
        value, end = decoder.raw_decode(text, place + 1)
        object[name] = value
        if name in ("payload", "cause"):
            object[name + "Text"] = text[place + 1 : end]
        place = end + (text[end] == ",")
    return object


def stored_bytes(name, object):
    if name + "Text" in object:
        return object[name + "Text"].encode()
    return base64.b64decode(object[name + "Base64"]) if name + "Base64" in object else None


def write(object):
    return json.dumps(object, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode() + b"\n"


def id_of(object):
    return {"origin": object["origin"].lower(), "sequence": object["sequence"]}


def name_of(object):
    return "%s/%d" % (object["origin"].lower(), object["sequence"])


# -- The client ---------------------------------------------------------------------------------------------------------------------------


class Client:
    def __init__(self, options):
        self.options, self.url, self.path = options, urllib.parse.urlsplit(options.url), options.file
        # The position, and the drafts without a covered verdict, each with 'verdict' if the server has told one.
        self.state = {"principal": options.principal, "key": options.key, "position": None, "generation": None, "former": [], "floor": 0,
                      "outbox": [], "accepted": [], "refused": [], "limits": {"drafts": 1000, "push": 8 << 20, "draft": 1 << 20}}
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as file:
                self.state = json.load(file)
            if [self.state["principal"], self.state["key"]] != [options.principal, options.key]:
                raise Failure("%s belongs to '%s', '%s'" % (self.path, self.state["principal"], self.state["key"]))

    def save(self):
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump(self.state, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(self.path + ".new", self.path)

    # Requests

    def open(self, method, target, body=None):
        """Sends a request, and returns the answer when its head has arrived."""
        secure = self.url.scheme == "https"
        connection = (http.client.HTTPSConnection if secure else http.client.HTTPConnection)(self.url.netloc, timeout=self.options.timeout)
        headers = {"Alter-Sync": str(self.options.version), "Authorization": "Bearer " + os.environ.get("ALTER_TOKEN", ""),
                   "Alter-Principal": urllib.parse.quote(self.state["principal"], safe="")}
        if body is not None:
            headers["Content-Type"] = "application/jsonl"
        connection.request(method, self.url.path.rstrip("/") + target, body, headers)
        answer = connection.getresponse()
        for item in (answer.getheader("Alter-Limits") or "").split():
            name, _, value = item.partition("=")
            if value.isdigit() and int(value) > 0:
                self.state["limits"][name] = int(value)
        return answer

    def exchange(self, method, target, body=None):
        """Returns the lines of an answer with the status 200. The text after the last line feed is cut, and counts for nothing."""
        answer = self.open(method, target, body)
        try:
            data = answer.read()
        except http.client.IncompleteRead as cut:
            data = cut.partial
        lines = data.split(b"\n")[:-1]
        if answer.status != 200:
            raise self.failure(answer, lines)
        first = parse(lines[0]) if lines else {}
        if first.get("alter") != "sync" or first.get("version") != 1:
            raise Failure("200, but no answer of this protocol: try again, and check the address")
        return first, lines[1:]

    def failure(self, answer, lines):
        try:
            first = parse(lines[0])
        except (IndexError, ValueError):
            first = {}
        advice = {400: "update the older program", 401: "get a new token", 403: "nothing was decided; ask the owner of the journal",
                  404: "check the address", 408: "send fewer drafts at once", 409: "the journal does not have this client's position",
                  410: "run 'snapshot'", 413: "send fewer drafts at once", 415: "send the body as it is",
                  422: "this client has sent a request that is not sound"}.get(answer.status, "try again later")
        if answer.status == 409 and "generation" in first:
            known = [self.state["generation"]] + self.state["former"]
            advice += ": the server was restored, " + (
                "and its operator must act" if first["generation"] in known else "and has begun a new generation; run 'snapshot'")
        if answer.getheader("Retry-After"):
            advice += " (in %s s)" % answer.getheader("Retry-After")
        kind = Absent if answer.status == 404 and first.get("answer") == "absent" else Failure
        return kind("%d %s: %s; %s" % (answer.status, first.get("answer", "?"), first.get("message", "no explanation"), advice))

    def target(self, last):
        return "/journals/%s/%s" % (urllib.parse.quote(self.state["key"], safe=""), last)

    def post(self, request, lines):
        """Sends a request with a body: its first line has everything but the drafts or the ids."""
        state = self.state
        first = {"alter": "sync", "version": 1, "request": request, "key": state["key"], "principal": state["principal"],
                 "floor": state["floor"], "known": max([d["verdict"].get("revision", 0) for d in state["outbox"] if "verdict" in d] + [0]),
                 "lines": len(lines)}
        first.update({name: state[name] for name in ("position", "generation") if state[name]})
        if request == "fetch":
            first["schema"] = 1
        last = "snapshot" if request == "fetch" else "entries"
        return self.exchange("POST", self.target(last), write(first) + b"".join(lines))

    # Commands

    def add(self):
        """Makes drafts. Their bytes never change from now on. Each call has an origin of its own, in case the file was copied."""
        origin = str(uuid.uuid4())
        for sequence, payload in enumerate(self.options.payloads, 1):
            draft = {"origin": origin, "sequence": sequence, "time": time.time_ns() // 1000, "schema": self.options.schema,
                     "kind": self.options.kind, "payloadText": payload}
            draft["hash"] = hash_of(draft)
            self.state["outbox"].append(draft)
            print("added", name_of(draft))
        self.save()

    def push(self):
        """Sends the drafts without a verdict, in order, until each has one; then pulls until the outbox is empty."""
        while any("verdict" not in draft for draft in self.state["outbox"]):
            lines, before, limits = [], None, self.state["limits"]
            for draft in self.state["outbox"]:
                if "verdict" not in draft:
                    line = dict(draft)
                    size = len(stored_bytes("payload", draft))
                    if size > limits["draft"]:
                        line = {"hash": draft["hash"], "size": size, **id_of(draft)}
                    if before:
                        line["after"] = id_of(before)
                    lines.append(write(line))
                    if len(lines) > 1 and (sum(map(len, lines)) > limits["push"] - 4096 or len(lines) > limits["drafts"]):
                        lines.pop()
                        break
                before = draft
            hold, isComplete = self.absorb(*self.post("push", lines))
            if hold:
                raise Failure("hold '%s' at %s: the draft is undecided; push again in %d s" % (hold["hold"], name_of(hold), hold["seconds"]))
            if not isComplete:
                self.pull()
        if self.state["outbox"]:
            self.pull()

    def pull(self):
        while True:
            query, position = {}, self.state["position"]
            if position:
                query = {"after": position["revision"], "checksum": position["checksum"], "journal": position["journal"]}
            if self.state["generation"]:
                query["generation"] = self.state["generation"]
            if self.state["floor"]:
                query["floor"] = self.state["floor"]
            try:
                page = self.exchange("GET", self.target("entries") + "?" + urllib.parse.urlencode(query))
            except Absent:
                if position:
                    raise
                self.save()
                print("absent")
                return
            if self.absorb(*page)[1]:
                return

    def absorb(self, first, lines):
        """Takes a page, and saves the file once. Returns the hold, and whether the position is the head of the journal."""
        state, hold, head, entries = self.state, None, None, []
        if first.get("answer") != "page":
            raise Failure("an answer that this client does not know: '%s'" % first.get("answer"))
        if state["position"] and state["position"]["journal"] != first["journal"]:
            raise Failure("the address leads to another journal: %s" % first["journal"])
        self.enter(first)
        for text in lines:
            line = parse(text)
            if "verdict" in line:
                if "revision" not in line and line["verdict"] != "foreign":
                    break  # Such a verdict would end the draft, so its code must be known.
                self.learn(line)
            elif "hold" in line:
                hold = line
            elif "head" in line:
                head = line["head"]
            else:
                entries.append(line)
        if head is None:
            hold = None
        if hold and hold["hold"] == "order":
            self.forget()  # The server lacks one of them.
        position = state["position"] or {"journal": first["journal"], "revision": 0, "checksum": first["journal"].replace("-", "").lower()}
        broken = None
        for entry in entries:
            receipt = (entry["author"], entry["arrival"]) if "author" in entry else None
            revision, checksum = position["revision"] + 1, next_checksum(position["checksum"], position["revision"] + 1, entry, receipt)
            if [entry["revision"], entry["checksum"]] != [revision, checksum]:
                broken = Failure("the chain is broken at revision %d: the entry is damaged, or of another history" % revision)
                break
            position = {"journal": first["journal"], "revision": revision, "checksum": checksum}
            print("entry", revision, entry["kind"], stored_bytes("payload", entry).decode(errors="replace"))
            self.cover(entry)
        if entries or state["position"]:
            state["position"] = position
        self.leave(position["revision"])
        self.save()
        if broken:
            raise broken
        if head is None:
            raise Failure("the page was cut; what has arrived is kept. Try again")
        if position["revision"] >= head["revision"]:
            print("head", head["revision"], head["checksum"])
        return hold, position["revision"] >= head["revision"]

    # Verdicts

    def enter(self, first):
        """Follows the generation of an answer. The known verdicts end with a generation."""
        state = self.state
        if first["generation"] in state["former"]:
            raise Failure("the server was restored to a former generation, and its operator must act")
        if state["generation"] not in (None, first["generation"]):
            self.forget()
            state["former"].append(state["generation"])
        state["former"] = sorted(set(state["former"] + first["former"]))
        state["generation"] = first["generation"]

    def forget(self):
        for draft in self.state["outbox"]:
            draft.pop("verdict", None)

    def learn(self, line):
        print("verdict", name_of(line), line["verdict"], "at %d" % line["revision"] if "revision" in line else "without an entry")
        for draft in self.state["outbox"]:
            if name_of(draft) == name_of(line):
                same = draft["hash"] == line["hash"]
                draft["verdict"] = {"code": line["verdict"] if same else "clone"}
                if "revision" in line:
                    draft["verdict"]["revision"] = line["revision"]

    def cover(self, entry):
        """Ends the draft whose id an entry has."""
        for draft in [draft for draft in self.state["outbox"] if name_of(draft) == name_of(entry)]:
            code = "accepted"
            if hash_of(entry) != draft["hash"]:
                code = "clone"
            elif entry["kind"] == "refused":
                code = json.loads(stored_bytes("payload", entry))["code"]
            self.end(draft, code, entry.get("reason"))

    def leave(self, revision):
        """Ends the drafts whose verdicts have no entry above the floor. A verdict that another entry contradicts is forgotten."""
        for draft in [draft for draft in self.state["outbox"] if "verdict" in draft]:
            at = draft["verdict"].get("revision", 0)
            if at <= self.state["floor"]:
                self.end(draft, draft["verdict"]["code"])
            elif at <= revision and draft["verdict"]["code"] == "clone":
                self.end(draft, "clone")
            elif at <= revision:
                del draft["verdict"]

    def end(self, draft, code, reason=None):
        self.state["outbox"].remove(draft)
        draft.pop("verdict", None)
        if code == "accepted":
            self.state["accepted"].append(draft)
        elif code != "moot":
            self.state["refused"].append({"draft": draft, "code": code, "reason": reason})
            print("refused", name_of(draft), code + ":", reason or "no reason is known")

    # The rest

    def snapshot(self):
        """Begins at the server's snapshot. It tells the verdicts of the outbox, and which own changes the journal has."""
        state, own = self.state, self.state["accepted"]
        first, lines = self.post("fetch", [write(id_of(draft)) for draft in state["outbox"] + own])
        objects = [parse(line) for line in lines]
        if first.get("answer") != "snapshot" or not objects or "head" not in objects[-1]:
            raise Failure("the snapshot was cut, and is of no use. Try again")
        verdicts = {name_of(line): line for line in objects if "verdict" in line}
        body, head = objects[-2], objects[-1]["head"]
        knows = state["generation"] in [None, first["generation"]] + first["former"]
        if state["position"] and state["position"]["journal"] != head["journal"] and not knows:
            raise Failure("the address leads to another journal: %s" % head["journal"])
        isRestart = state["generation"] not in (None, first["generation"])
        lost = [draft for draft in own if verdicts.get(name_of(draft), {}).get("hash") != draft["hash"]]
        if lost and not isRestart:
            raise Failure("the server has lost %d changes of this client, and its operator must act" % len(lost))
        self.enter(first)
        for draft in lost:
            own.remove(draft)
            state["refused"].append({"draft": draft, "code": "lost", "reason": None})
            print("refused", name_of(draft), "lost: the operator has discarded it")
        state["position"], state["floor"] = head, head["revision"]
        for line in verdicts.values():
            self.learn(line)
        self.leave(head["revision"])
        self.save()
        text = json.dumps(body["state"], separators=(",", ":")) if "state" in body else body.get("stateText", "(Base64)")
        print("snapshot", head["revision"], head["checksum"], "schema", body["schema"], text)

    def live(self):
        """Prints hints until the stream ends. After each one, a client with a state would pull."""
        query = urllib.parse.urlencode({"journal": self.state["key"]}, quote_via=urllib.parse.quote, safe="")
        answer = self.open("GET", "/live?" + query)
        if answer.status != 200:
            raise self.failure(answer, answer.read().split(b"\n")[:-1])
        print("open", flush=True)
        for line in answer:
            if line.startswith(b"data: "):
                hint = parse(line[6:].strip())
                print("hint", hint["key"], hint["revision"], hint["checksum"], flush=True)
        raise Failure("the stream has ended; open it again after a pause")


def main():
    parser = argparse.ArgumentParser(description="A client of the sync protocol (docs/sync.md). The token is in ALTER_TOKEN.")
    for name, text in [("url", "the address of the server"), ("principal", "the user of the token"), ("key", "the key of the journal"),
                       ("file", "the file of this client")]:
        parser.add_argument("--" + name, required=True, help=text)
    parser.add_argument("--version", default=1, help="the version of the protocol to claim, for tests")
    parser.add_argument("--timeout", default=45, type=float, help="the seconds without a byte after which a connection is given up")
    commands = parser.add_subparsers(dest="command", required=True)
    add = commands.add_parser("add", help="put drafts into the outbox")
    add.add_argument("--kind", default="changes", help="changes, undo or redo")
    add.add_argument("--schema", default=1, type=int, help="the schema version of the payloads")
    add.add_argument("payloads", nargs="+", help="JSON: an array of changes")
    for name in ("push", "pull", "snapshot", "live"):
        commands.add_parser(name)
    options = parser.parse_args()
    try:
        getattr(Client(options), options.command)()
    except Failure as failure:
        sys.exit("error: %s" % failure)
    except (OSError, http.client.HTTPException) as error:
        sys.exit("error: no connection, or it broke: %r. Nothing is lost; try again" % error)
    except (ValueError, KeyError, IndexError) as error:
        sys.exit("error: the answer cannot be read: %r. Nothing was changed; check the address" % error)


if __name__ == "__main__":
    main()
