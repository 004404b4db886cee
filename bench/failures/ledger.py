"""What clients of a service were told, and whether the service still holds to it after a kill.

An id belongs to one worker, which changes it one step after the other. So each id has one state, or two while a change of it was not answered.
"""
import threading

from service import text_of

THERE, GONE = "there", "gone"


class Contradiction(Exception):
    """The service does not hold to an answer."""


def require(condition, message):
    if not condition:
        raise Contradiction(message)


class Entry:
    def __init__(self, family, text):
        self.family, self.text = family, text
        self.states = {GONE}
        # Whether a removal was ever sent. From then on the document owes nothing to those who were told that they are similar to it.
        self.is_removing = False


class Ledger:
    def __init__(self):
        self.lock = threading.Lock()
        self.entries = {}
        self.families = {}
        self.touched = set()
        self.answers = 0

    def begin(self, id, family, text):
        """An addition of `id` is about to be sent."""
        with self.lock:
            entry = self.entries.get(id)
            if entry is None:
                entry = self.entries[id] = Entry(family, text)
                self.families.setdefault(family, []).append(id)
            require(entry.states == {GONE}, f"{id}: a test adds what is not gone")
            entry.text, entry.states = text, {THERE, GONE}
            self.touched.add(id)

    def begin_removal(self, id):
        with self.lock:
            entry = self.entries[id]
            entry.is_removing, entry.states = True, {THERE, GONE}
            self.touched.add(id)

    def removed(self, id):
        with self.lock:
            self.answers += 1
            self.entries[id].states = {GONE}

    def answered(self, id, status, answer):
        """The answer to an addition."""
        with self.lock:
            self.answers += 1
            entry = self.entries[id]
            if status in (429, 503, 507):
                entry.states = {GONE}
                return
            if status == 500:
                # It could not be written, and may be there after a restart all the same.
                return
            require(status in (200, 201), f"{id}: {status} {answer}")
            if answer["stored"]:
                entry.states = {THERE}
                return
            entry.states = {GONE}
            other = self.entries.get(answer["match"]["id"])
            require(other is not None, f"{id}: a duplicate of an id that nobody has added: {answer}")
            require(other.family == entry.family, f"{id}: a duplicate of {answer['match']['id']}, which is not similar")
            if not other.is_removing:
                require(THERE in other.states, f"{id}: a duplicate of {answer['match']['id']}, which was refused")
                other.states = {THERE}

    def check(self, client, ids):
        """Compares what the service has of these ids with what it answered before."""
        families = set()
        for id in ids:
            entry = self.entries[id]
            status, answer = client.read(id)
            require(status in (200, 404), f"{id}: {status} {answer}")
            state = THERE if status == 200 else GONE
            require(state in entry.states, f"{id} is {state}, and the answers said {entry.states}")
            require(state == GONE or answer["text"] == entry.text, f"{id}: it has another text")
            entry.states = {state}
            families.add(entry.family)
        for family in families:
            self.check_family(client, family)

    def check_family(self, client, family):
        there, unknown = set(), set()
        for id in self.families[family]:
            states = self.entries[id].states
            (there if states == {THERE} else unknown if THERE in states else set()).add(id)
        status, answer = client.check(text_of(family, 99))
        require(status == 200, f"family {family}: {status} {answer}")
        found = answer["match"] and answer["match"]["id"]
        require(len(there) <= 1, f"family {family}: two of it were stored: {there}")
        require(found in there | unknown if there or found else True, f"family {family}: found {found}, and it has {there or unknown}")
