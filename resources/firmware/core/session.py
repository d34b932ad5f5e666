"""A turbo with one device on its link, as docs/turbo-protocol.md has it: hello, heartbeat, requests and their repetition."""
from core import codec
from core.frames import Reader, Writer
from core.light import REFUSED

HELLO_MS, REPEAT_MS, LONGEST_MS, REFUSED_MS, BUSY_MS, RECONNECT_MS = 1000, 1500, 10000, 30000, 1000, 1000
HEARTBEAT_MS, KEPT, STATUS_MS, SILENT_BEATS = 5000, 256, 10000, 3
# For joining a Wi-Fi, connecting and an answer, of which the link limits each.
START_MS, CODE_AFTER_MS = 45000, 30000
HELLO, BEAT, HELD, SHOWN, STATUS = range(5)
NUMBERS = (codec.HELLO, codec.HEARTBEAT, None, codec.SHOWN, codec.STATUS)
FREE, FLYING = range(2)


class Request:
    """At most one of each kind. `due`: when to send it again; None: it has not left yet."""

    def __init__(self, kind):
        self.kind, self.state, self.seq, self.about = kind, FREE, 0, None
        self.due, self.wait, self.longest = None, 0, 0


class Session:
    def __init__(self, board, device, identity, proof=None):
        self.board, self.device, self.link, self.identity = board, device, board.link, identity
        self.proof = proof
        self.boot = board.random32()
        self.seq = self.boot & 0xFFFF
        self.reader, self.out = Reader(), Writer()
        self.cursor, self.show = codec.Cursor(), codec.Show()
        self.requests = [Request(kind) for kind in range(5)]
        self.answered = [None] * KEPT  # by the low bits of the number: (number, answer)
        self.syncs = []
        self.is_open = self.is_ready = self.is_in = False
        self.window, self.interval = 1, HEARTBEAT_MS
        self.open_at = self.not_before = self.heard = self.beat_at = self.hello_at = 0
        self.status_due, self.status_at, self.rest_until = True, 0, [0, 0]
        self.said = (0, 0)
        self.count = 0
        self.is_refused, self.lost_at = False, 0

    def step(self, now):
        """Answers milliseconds until it has something to do."""
        try:
            self._link(now)
            if self.is_ready:
                self._read(now)
                self._time(now)
                self._pump(now)
                self._write(now)
        except OSError as error:
            self.lose(now, error)
        return self._wait(now)

    # -- The link --

    def _link(self, now):
        if not self.is_open:
            if now < max(self.open_at, self.not_before):
                return
            self.is_open, self.is_ready, self.heard = True, False, now
            self.link.start()
        if not self.is_ready:
            if self.link.ready():
                self.is_ready = True
                self._hello(now)
            elif now - self.heard > START_MS:
                raise OSError("no connection")

    def code(self, now):
        """Why there is no station, as light.py has it; 0 for the first half minute without one."""
        if self.is_in or now - self.lost_at < CODE_AFTER_MS:
            return 0
        return REFUSED if self.is_refused else self.link.trouble

    def lose(self, now, error):
        """Closes the link, and opens it again after a random pause, so that not all boards come at once."""
        self.board.log("No link: %s" % error)
        self.link.stop()
        self.is_open = self.is_ready = False
        self.open_at = now + RECONNECT_MS + self.board.random32() % RECONNECT_MS
        pause = self.link.pause_ms()
        self.not_before = max(self.not_before, now + pause)
        self._forget()

    def _forget(self):
        """Clears the session. The device keeps all that it has."""
        for request in self.requests:
            request.state = FREE
        for at in range(KEPT):
            self.answered[at] = None
        if self.is_in:
            self.lost_at = self.heard
        self.reader.clear()
        self.out.clear()
        self.syncs = []
        self.is_in, self.window, self.status_due = False, 1, False

    def _read(self, now):
        while True:
            self.link.expected = self.reader.missing()
            count = self.link.read(self.reader.space())
            if count:
                self.reader.feed(count, now)
            while True:
                payload = self.reader.next(now)
                if payload is None:
                    break
                self.count += 1
                self._received(payload, now)
            if not count or not self.is_ready:
                return

    def _write(self, now):
        out = self.out
        if out.used:
            out.sent(self.link.write(out.view[: out.used]))
        if not out.used:
            # The time to a repetition counts from when the bytes have left.
            for request in self.requests:
                if request.state == FLYING and request.due is None:
                    request.due = now + request.wait
                    request.wait = min(request.wait * 2, request.longest)

    def _wait(self, now):
        if not self.is_open:
            return max(0, max(self.open_at, self.not_before) - now)
        if not self.is_ready:
            return 50
        if self.out.used:
            return 5
        wait = self.heard + SILENT_BEATS * self.interval - now
        for request in self.requests:
            if request.state == FLYING and request.due is not None:
                wait = min(wait, request.due - now)
        if self.reader.is_half():
            wait = min(wait, 1)  # the rest of a frame must not overflow the buffer of a port
        if self.is_in:
            wait = min(wait, self.beat_at - now)
        elif self.hello_at:
            wait = min(wait, self.hello_at - now)
        for until in self.rest_until:
            if until > now:
                wait = min(wait, until - now)
        return max(0, wait)

    # -- Requests --

    def _begin(self, kind, about, wait=REPEAT_MS, longest=LONGEST_MS):
        request = self.requests[kind]
        while any(each.state == FLYING and each.seq == self.seq for each in self.requests):
            self.seq = self.seq + 1 & 0xFFFF
        request.seq, self.seq = self.seq, self.seq + 1 & 0xFFFF
        request.state, request.about, request.wait, request.longest = FLYING, about, wait, longest

    def _say(self, request, now):
        """Encodes the request again for each transmission, so that ages are current."""
        out, kind, about, board = self.out, request.kind, request.about, self.board
        number = NUMBERS[kind]
        request.due = now + 50  # unless it fits
        out.begin()
        if kind == HELLO:
            update = board.update
            window = 1 if self.link.is_slow else codec.WINDOW
            codec.put_hello(out, self.identity, self.boot, now // 1000, window, self.proof, update.software(), update.nonce)
        elif kind == BEAT:
            out.put("<I", now // 1000)
        elif kind == HELD:
            number = codec.put_report(out, board.device, self.device.memory.epoch, about, now - about.at)
        elif kind == SHOWN:
            codec.put_shown(out, board.device, about[0], about[1], now - about[2])
        else:
            self.device.status(out, now, now // 1000)
        if out.end(number, 0, request.seq):
            request.due = None

    def _reply(self, seq, status):
        """`status`: of an ack, or None: `synced`."""
        self.answered[seq % KEPT] = (seq, status)
        self.out.begin()
        if status is None:
            self.out.put("<H", 1)
            self.out.end(codec.SYNCED, codec.REPLY, seq)
        else:
            self.out.put("<B", status)
            self.out.end(codec.ACK, codec.REPLY, seq)

    def _hello(self, now, is_answer=False):
        """Begins a session, with nothing of the previous one in flight."""
        self._forget()
        if self.proof and not is_answer:
            self.proof.begin()
        self.board.update.renew()
        self.heard, self.hello_at = now, 0
        self._begin(HELLO, None, HELLO_MS, HELLO_MS)
        self._say(self.requests[HELLO], now)

    def _time(self, now):
        silent = now - self.heard >= SILENT_BEATS * self.interval
        if not self.is_in and self.hello_at:
            if now >= self.hello_at:
                self._hello(now)
        elif silent and self.link.is_network:
            raise OSError("silence")
        elif silent:
            self._hello(now)
        if self.is_in and now >= self.beat_at:
            self.beat_at = now + self.interval
            self._look(now)
            if self.requests[BEAT].state == FREE:
                self._begin(BEAT, None, REPEAT_MS, REPEAT_MS)
                self._say(self.requests[BEAT], now)
        for request in self.requests:
            if request.state == FLYING and request.due is not None and now >= request.due:
                self._say(request, now)

    def _look(self, now):
        """Whether battery or signal have changed."""
        battery, rssi = self.board.battery(), self.board.rssi()
        changed = abs(battery - self.said[0]) >= 50 or abs(rssi - self.said[1]) >= 6
        if changed and now - self.status_at >= STATUS_MS:
            self.status_due = True

    # -- What comes in --

    def _received(self, payload, now):
        self.heard = now
        reader = self.reader
        number, seq, cursor = reader.number, reader.seq, self.cursor.over(payload)
        if reader.flags & codec.REPLY:
            for request in self.requests:
                if request.state == FLYING and request.seq == seq:
                    if number == (codec.WELCOME if request.kind == HELLO else codec.ACK):
                        self._replied(request, cursor, now)
                    return
            return
        if not self.is_in or seq in self.syncs:
            return
        known = self.answered[seq % KEPT]
        if known and known[0] == seq:
            return self._reply(seq, known[1])
        try:
            if number == codec.SYNC:
                self.syncs.append(seq)
                self.status_due = True
                return
            if number in (codec.SHOW, codec.KEEP):
                self.show.read(cursor, number == codec.KEEP)
                status = self._pass_on(number, now)
            elif number in (codec.UPDATE, codec.PART):
                status = self.board.update.take(number, cursor)
            else:
                status = codec.UNSUPPORTED
        except codec.Malformed:
            status = codec.MALFORMED
        self._reply(seq, status)

    def _pass_on(self, number, now):
        if self.show.device != self.board.device:
            return codec.UNKNOWN
        return (self.device.take if number == codec.SHOW else self.device.keep)(self.show, now)

    def _replied(self, request, cursor, now):
        try:
            if request.kind == HELLO:
                cursor.u8()
                status, _, interval, window = cursor.word(6), cursor.u32(), cursor.u16(), cursor.u8()
                challenge, time = cursor.optional16(), cursor.optional()
                is_met = self._meet(status, challenge)
                request.state = FREE
                if is_met and status == codec.CHALLENGED:
                    return self._hello(now, True)
                return self._welcome(status or not is_met, interval, window, time, now)
            status = cursor.word(9)
        except codec.Malformed:
            return
        request.state = FREE
        if status == codec.REFUSED:
            self.board.log("The session is over")
            return self._hello(now)
        kind, device = request.kind, self.device
        if kind in (HELD, SHOWN):
            if status in (codec.BUSY, codec.UNREACHABLE):
                self.rest_until[kind == SHOWN] = now + BUSY_MS
            elif kind == HELD:
                device.acknowledged(request.about, now)
            elif request.about in device.shown:
                device.shown.remove(request.about)
        elif kind == STATUS and not self.status_due:
            for seq in self.syncs:
                self._reply(seq, None)
            self.syncs = []

    def _meet(self, status, challenge):
        """False: this welcome is not of the station that the key is for."""
        proof = self.proof
        if not proof or status not in (0, codec.CHALLENGED):
            return True
        if status and proof.answer is None:
            if challenge is None or not proof.meet(challenge):
                self.is_refused = True
                self.board.log("This station does not know the key")
            return True
        return not status and bool(proof.answer)

    def _welcome(self, status, interval, window, time, now):
        self.is_refused = bool(status)
        if status:
            self.board.log("The station refuses this board: %d" % status)
            self.hello_at = self.not_before = now + REFUSED_MS
            self.heard = now + REFUSED_MS
            return
        self.board.update.welcomed()
        self.link.works()
        if time:
            self.board.clock.renew(time)
        self.is_in, self.window, self.interval = True, max(1, window), max(100, interval)
        self.beat_at = now + self.interval
        self.board.log("Welcome")

    def _pump(self, now):
        """Sends presses first; an eighth of the window is reserved for them."""
        if not self.is_in:
            return
        device = self.device
        flying = 0
        for request in self.requests:
            flying += request.state == FLYING
        held = device.memory.held
        if held and flying < self.window and self._is_free(HELD) and now >= self.rest_until[0]:
            flying += self._send(HELD, held[0], now)
        if flying >= self.window - self.window // 8:
            return
        if device.shown and self._is_free(SHOWN) and now >= self.rest_until[1]:
            self._send(SHOWN, device.shown[0], now)
        if device.has_news:
            device.has_news, self.status_due = False, True
        # After all that the device holds: the station shows nothing before the status.
        if self.status_due and not held and not device.shown and self._is_free(STATUS):
            self.status_due, self.status_at = False, now
            self.said = (self.board.battery(), self.board.rssi())
            self._send(STATUS, None, now)

    def _is_free(self, kind):
        return self.requests[kind].state == FREE

    def _send(self, kind, about, now):
        self._begin(kind, about)
        self._say(self.requests[kind], now)
        return 1
