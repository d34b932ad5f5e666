"""Takes a new version of the firmware from the station, file by file, beside the one that runs."""
from hashlib import sha256
from core import codec
from core.proof import is_same, new_nonce, signature
from core.version import HASH

BEGIN, SWITCH, CANCEL = range(3)
SPARE, RESTART_MS, FULL, READ = 32768, 300, 28, 512
FOLDERS = ("", "a", "b")


class Update:
    """`board.store` has write, append, read_at, remove, files and free. One short step at a time, so that no press waits.

    Over a network it takes only what is signed with the hash of the board's key. A cable needs no signature.
    """

    def __init__(self, board, device, serial, key):
        self.board, self.device, self.serial = board, device, serial
        self.key_hash = sha256(key.encode()).digest() if key else None
        self.nonce = self.signed = None
        self.number = self.restart_at = None
        self.path, self.at, self.count, self.sum = None, 0, 0, b""
        self.trash = []  # files of a version that is not wanted

    def software(self):
        return HASH if self.board.versions else None

    def renew(self):
        """A signature is for one session."""
        self.nonce = new_nonce(self.board.random32) if self.board.link.is_network else None

    def welcomed(self):
        if self.board.versions:
            self.board.versions.confirm()

    def step(self, now):
        """Answers milliseconds until it has something to do, or None."""
        if self.restart_at == 0:
            self.restart_at = now + RESTART_MS  # the answer leaves first
        if self.restart_at is not None:
            if now >= self.restart_at:
                self.board.reset()
            return max(0, self.restart_at - now)
        if not self.trash:
            return None
        try:
            self.board.store.remove(self.trash.pop())
        except OSError:
            pass
        return 0

    def take(self, number, cursor):
        """Answers a status of an ack."""
        if number == codec.UPDATE:
            what, size, count = cursor.word(3), cursor.u32(), cursor.u16()
            digest = bytes(cursor.octets(cursor.u16()))
            tag = bytes(cursor.octets(cursor.u16())) if cursor.at < cursor.end and cursor.u8() else b""
            if self.board.versions is None:
                return codec.REFUSED
            if what == CANCEL:
                self._drop()
                return codec.OK
            if self._is_busy():
                return codec.BUSY
            return self._begin(size, count, digest, tag) if what == BEGIN else self._switch(count, digest)
        try:
            path = bytes(cursor.octets(cursor.u8())).decode()
        except UnicodeError:
            raise codec.Malformed
        at, data = cursor.u32(), cursor.octets(cursor.u16())
        is_last = cursor.at < cursor.end and cursor.u8()
        digest = bytes(cursor.octets(cursor.u16())) if is_last else None
        if self.number is None:
            return codec.DAMAGED
        return codec.BUSY if self._is_busy() else self._part(path, at, data, digest)

    def _is_busy(self):
        """Somebody works with the board: erasing flash holds everything up for some milliseconds."""
        device = self.device
        return bool(device.is_lit() or device.memory.held or self.board.down() or self.trash or self.restart_at is not None)

    def _is_signed(self, count, digest, tag):
        if not self.board.link.is_network:
            return True
        if not self.key_hash or not self.nonce:
            return False
        return is_same(tag, signature(self.key_hash, self.serial, self.nonce, count, digest))

    def _begin(self, size, count, digest, tag):
        # Before anything is erased or written.
        if not self._is_signed(count, digest, tag):
            return self._fail(codec.FORGED)
        versions, store = self.board.versions, self.board.store
        self.signed = (count, digest) if self.board.link.is_network else None
        self.number = versions.other()
        self.path, self.count, self.sum = None, 0, b""
        self.trash = store.files(FOLDERS[self.number])
        if self.trash:
            return codec.BUSY
        if store.free() < size + SPARE:
            self.number = None
            return codec.FULL
        return codec.OK

    def _part(self, path, at, data, digest):
        if self.path is None:
            self.path, self.at = path, 0
        # From a station that knows another state: the transfer begins again.
        if path != self.path or at != self.at or not is_own(path):
            return self._fail(codec.DAMAGED)
        name = FOLDERS[self.number] + "/" + path
        try:
            if at:
                self.board.store.append(name, data)
            else:
                self.board.store.write(name, data)
        except OSError as error:
            return self._fail(codec.FULL if error.errno == FULL else codec.DAMAGED)
        self.at += len(data)
        if digest is None:
            return codec.OK
        self.path = None
        if self._digest(name) != digest:
            return self._fail(codec.DAMAGED)
        self.sum = sha256(self.sum + path.encode() + digest).digest()  # one at a time: some chips cannot do two
        self.count += 1
        return codec.OK

    def _digest(self, name):
        """Of what the flash has now."""
        digest, part, at = sha256(), bytearray(READ), 0
        view = memoryview(part)
        while True:
            count = self.board.store.read_at(name, at, view)
            digest.update(view[:count])
            if count < READ:
                return digest.digest()
            at += count

    def _switch(self, count, digest):
        if self.number is None or self.path is not None or count != self.count or self.sum != digest:
            return self._fail(codec.DAMAGED)
        if self.signed not in (None, (self.count, self.sum)):
            return self._fail(codec.FORGED)
        if len(self.board.store.files(FOLDERS[self.number])) != self.count:
            return self._fail(codec.DAMAGED)  # unexpected files
        try:
            self.board.versions.switch(self.number)
        except OSError:
            return self._fail(codec.FULL)
        self.number, self.restart_at = None, 0
        return codec.OK

    def _fail(self, status):
        self._drop()
        return status

    def _drop(self):
        """Removes the files of an incomplete version."""
        if self.number is not None and self.restart_at is None:
            self.trash = self.board.store.files(FOLDERS[self.number])
        self.number = None


def is_own(path):
    """Only of a version: no path leaves its folder."""
    names = path.split("/")
    return len(names) > 1 and all(name and name[0] != "." for name in names)
