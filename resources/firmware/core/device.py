"""One device: what its worker sees and does. LED and token change when the screen is drawn, so a press belongs to what the
worker saw."""
from core import bits, codec
from core.digits import draw_count
from core.light import Light, Tune
from core.memory import View

ENDED_MS, HELD_SHOWN, MOST, PANEL_MS = 60000, 4, 999, 20000
BLANK, COUNT, BOOT = "blank", "count", "boot"


class Device:
    def __init__(self, board, memory):
        self.board, self.memory = board, memory
        self.picture = bytearray(bits.SIZE)  # on the screen, or on its way there
        self.pixels = memoryview(self.picture)
        self.drawn_sum = self.drawn_count = self.drawn_slot = None
        self.buffer = bytearray(bits.SIZE)  # what comes next, as it came
        self.size = 0
        self.shows = [codec.Show(), codec.Show()]
        self.next = self.drawing = None
        self.until = None
        self.shown = []  # [token, checksum, at], the newest four
        self.told = [(token, 0) for token in memory.over]  # ended tokens whose report the station has, and since when
        self.light, self.tune = Light(board.led), Tune(board.tone)
        self.refreshes = self.refused = 0
        self.is_ready = self.is_stuck = False
        self.panel_until = 0

    def start(self, now):
        """Draws the screen again, since the power may have failed during a refresh. Refuses presses until then."""
        self.told = [(token, now) for token, _ in self.told if not self.is_held(token)]
        memory = self.memory
        if memory.view.token == 0:
            memory.view = View()
            if memory.back:
                memory.view.checksum, memory.view.slot = memory.back
        view = memory.view
        if not self._load(view.slot, view.checksum):
            view.end()
            view.checksum = view.slot = None
            bits.clear(self.picture)
        else:
            self.drawn_count = view.quantity
            if view.count is not None and view.count != view.quantity:
                self._number(view.count)
        self.drawing = BOOT
        self._start_panel(now)

    # -- From the station: each answers a status of an ack. --

    def take(self, show, now):
        if self.has_ended(show.token, now):
            return codec.ALREADY_ENDED
        if self.memory.is_full():
            return codec.BUSY
        status = self._check(show)
        if status != codec.OK:
            return status
        if show.token == 0:
            status = self._remember(show)
            if status != codec.OK:
                return status
            show.slot = self.memory.back[1]
        elif show.form == codec.BITMAP:
            self._hold(show)
        else:
            self._locate(show)
        self._come(show)
        self._draw_next(now)
        return codec.OK

    def keep(self, show, now):
        status = self._check(show)
        if status == codec.OK:
            status = self._remember(show)
        if status != codec.OK:
            return status
        coming = self._pending()
        if self.memory.view.token == 0 if coming is None else coming is BLANK or coming.token == 0:
            self._go_to_background(now)
            self._draw_next(now)
        return codec.OK

    def _check(self, show):
        if show.form == codec.FIELDS:
            return codec.REFUSED
        if show.form == codec.SAME:
            return codec.OK if self._has(show.checksum) else codec.MISSING
        return codec.OK if bits.is_picture(show.pixels, show.packing) else codec.MALFORMED

    def _has(self, checksum):
        coming, back = self._pending(), self.memory.back
        if back and back[1] is not None and back[0] == checksum:
            return True
        if coming not in (None, BLANK) and coming.checksum == checksum:
            return True
        view = self.memory.view
        return view.checksum == checksum and (view.slot is not None or not isinstance(self.drawing, codec.Show))

    def _remember(self, show):
        """Makes it the background, in flash."""
        memory = self.memory
        if memory.back and memory.back[0] == show.checksum:
            return codec.OK
        try:
            if show.form == codec.BITMAP:
                slot = memory.save(show.checksum, show.packing, show.pixels, self._busy_slots())
            else:
                self._locate(show)
                slot = show.slot
                if slot is None and self.next not in (None, BLANK) and self.next.checksum == show.checksum:
                    slot = memory.save(show.checksum, self.next.packing, self._buffered(), self._busy_slots())
                if slot is None:
                    return codec.MISSING
            memory.keep(show.checksum, slot)
            return codec.OK
        except OSError:
            return codec.BUSY

    def _busy_slots(self):
        return [show.slot for show in (self.drawing, self.next) if isinstance(show, codec.Show)]

    def _buffered(self):
        return memoryview(self.buffer)[: self.size]

    def _locate(self, show):
        """Of a content that the device has: the slot that has it, or the buffer."""
        memory, coming = self.memory, self.next
        if coming not in (None, BLANK) and coming.checksum == show.checksum:
            show.slot, show.packing = coming.slot, coming.packing
        elif isinstance(self.drawing, codec.Show) and self.drawing.checksum == show.checksum:
            show.slot = self.drawing.slot
        elif memory.back and memory.back[0] == show.checksum:
            show.slot = memory.back[1]
        elif memory.view.checksum == show.checksum:
            show.slot = memory.view.slot

    def _hold(self, show):
        self.size = len(show.pixels)
        self.buffer[: self.size] = show.pixels
        show.slot = None

    def _come(self, show):
        """Copies what the session received, which reuses its object."""
        mine = self.shows[0] if self.shows[0] is not self.drawing else self.shows[1]
        copy(show, mine)
        self.next = mine

    def _go_to_background(self, now):
        back = self.memory.back
        if back is None:
            self.next = BLANK
            return
        mine = self.shows[0] if self.shows[0] is not self.drawing else self.shows[1]
        mine.dark()
        mine.checksum, mine.slot = back
        self.next = mine

    # -- The screen --

    def _pending(self):
        if self.next is not None:
            return self.next
        return None if self.drawing in (COUNT, BOOT) else self.drawing

    def is_lit(self):
        """Whether it shows work, or soon will."""
        coming = self._pending()
        return self.memory.view.token != 0 or (coming not in (None, BLANK) and coming.token != 0)

    def _count_of(self, show):
        """A command that is already shown keeps its count: the worker may be ahead of the station."""
        view = self.memory.view
        if show.token == 0:
            return None
        return view.count if show.token == view.token and view.count is not None else show.quantity

    def _draw_next(self, now):
        if self.drawing is not None:
            return
        view, show = self.memory.view, self.next
        if show is None:
            if view.token and view.count is not None and view.count != self.drawn_count:
                self.drawing = COUNT
                self._refresh(view.count, now)
            return
        self.next, self.drawing = None, show
        if show is BLANK:
            is_new = self.drawn_sum is not None
            bits.clear(self.picture)
            self.drawn_sum = self.drawn_count = None
            return self._refresh(None, now) if is_new else self._drawn(now)
        count = self._count_of(show)
        is_new = show.checksum != self.drawn_sum
        if show.slot is None and is_new:
            bits.unpack(self._buffered(), show.packing, self.pixels)
            self.drawn_sum, self.drawn_count = show.checksum, show.quantity
        elif is_new and not self._load(show.slot, show.checksum):
            bits.clear(self.picture)
            self.drawn_sum = self.drawn_count = self.drawn_slot = None
        elif is_new:
            self.drawn_count = show.quantity
        if is_new or (count is not None and count != self.drawn_count):
            self._refresh(count, now)
        if is_new and show.slot is None:
            try:  # while the panel draws
                show.slot = self.memory.save(show.checksum, show.packing, self._buffered(), self._busy_slots())
            except OSError:
                pass
        if is_new:
            self.drawn_slot = show.slot
        elif show.slot is None:
            show.slot = self.drawn_slot
        self.step(now)

    def _refresh(self, count, now):
        if count is not None and count != self.drawn_count:
            self._number(count)
        self._start_panel(now)

    def _start_panel(self, now):
        """Restarts a panel that fails after PANEL_MS; until then nothing counts as shown."""
        panel = self.board.panel
        is_full = self.refreshes % panel.full_every == 0
        self.refreshes += 1
        self.panel_until, self.is_stuck = now + PANEL_MS, False
        try:
            panel.start(self.picture, is_full)
        except OSError as error:
            self.is_stuck = True
            self.board.log("%s" % error)

    def _number(self, count):
        draw_count(self.picture, count)
        self.drawn_count = count

    def _load(self, slot, checksum):
        found = self.memory.load(slot, checksum)
        if found is None:
            return False
        bits.unpack(found[1], found[0], self.pixels)
        self.drawn_sum, self.drawn_count, self.drawn_slot = checksum, None, slot
        return True

    def _drawn(self, now):
        drawing, self.drawing = self.drawing, None
        memory = self.memory
        if drawing is BOOT:
            self.is_ready = True
            view = memory.view
            if view.token:
                self.until = now + view.seconds * 1000 if view.seconds else None
                self.light.show(view.led, view.color, view.brightness, view.fixed, now)
                self.shown.append([view.token, view.checksum, now])
        elif drawing is BLANK:
            self._see(View(), None, now)
        elif drawing is not COUNT:
            if self.has_ended(drawing.token, now):  # pressed while it was drawn again
                self._go_back(drawing.token, now)
            else:
                self._see(self._view_of(drawing), drawing, now)
        self._draw_next(now)

    def _view_of(self, show):
        view = View()
        view.token, view.checksum, view.slot = show.token, self.drawn_sum, show.slot
        view.count, view.most, view.quantity = self._count_of(show), max(MOST, show.quantity or 0), show.quantity
        if show.token:
            view.seconds, view.led, view.color = show.seconds, show.led, show.color
            view.brightness, view.fixed = show.brightness, show.fixed
        return view

    def _see(self, view, show, now):
        try:
            # From the end of a command to its background nothing is new: the flash has both.
            if view.token or self.memory.view.token:
                self.memory.show(view)
        except OSError:
            pass  # forgotten at a power cut, and then shown again by the station
        self.memory.view = view
        self.until = now + view.seconds * 1000 if view.token and view.seconds else None
        self.light.show(view.led, view.color, view.brightness, view.fixed, now)
        if view.checksum is not None:
            if self.shown and self.shown[-1][0] == 0:
                self.shown.pop()
            self.shown.append([view.token, view.checksum, now])
            if len(self.shown) > HELD_SHOWN:
                self.shown.pop(0)
        if show is not None and show.token and show.sound:
            self.tune.play(show.sound, now)

    # -- The worker --

    def press(self, button, hold, now):
        """Whether it is taken: 0 front, 1 plus, 2 minus; hold 1 is long."""
        view = self.memory.view
        count = view.count if view.token else None
        if button and count is not None:
            count = max(0, min(view.most, count + (1 if button == 1 else -1)))
        try:
            taken = self.is_ready and not self.memory.is_full()
            report = self.memory.report(view.token, button, hold, count, now) if taken else None
        except OSError:
            report = None
        if report is None:
            self.refused += 1
            self.light.refuse(now)
            return None
        if report.ends():
            self._ended(report.token, now)
        self._draw_next(now)
        return report

    def _ended(self, token, now):
        self.until = None
        self.tune.stop()
        self.light.off(now)
        self._go_back(token, now)

    def _go_back(self, token, now):
        coming = self._pending()
        if coming is None or (coming is not BLANK and coming.token == token):
            self._go_to_background(now)
        self._draw_next(now)

    def _run_out(self, now):
        view = self.memory.view
        token = view.token
        try:
            self.memory.report(token, None, 0, view.count, now)
        except OSError:
            self.until = now + 1000
            return
        self._ended(token, now)

    # -- Ended tokens --

    def is_held(self, token):
        return any(report.token == token and report.ends() for report in self.memory.held)

    def has_ended(self, token, now):
        if token == 0:
            return False
        if self.told and now - self.told[0][1] > ENDED_MS:
            self.told.pop(0)
        return self.is_held(token) or any(each[0] == token and now - each[1] <= ENDED_MS for each in self.told)

    def acknowledged(self, report, now):
        self.memory.acknowledge(report.counter)
        if report.ends():
            self.told.append((report.token, now))
            if len(self.told) > 64:
                self.told.pop(0)

    # -- Time --

    def step(self, now):
        """Answers milliseconds until it has something to do, or None; a busy panel says itself when it is done."""
        if self.drawing is not None and not self.is_stuck and not self.board.panel.busy():
            self._drawn(now)
        elif self.drawing is not None and now >= self.panel_until:
            self.is_ready = True  # so that the station learns that nothing is shown
            self.refreshes = 0
            self._start_panel(now)
        if self.until is not None and now >= self.until:
            self._run_out(now)
        waits = [self.light.step(now), self.tune.step(now)]
        if self.until is not None:
            waits.append(max(0, self.until - now))
        if self.drawing is not None:
            waits.append(self.board.panel.poll_ms)
        return soonest(waits)

    def status(self, out, now, uptime):
        view, coming = self.memory.view, self._pending()
        pending = None if coming is None else (0, None) if coming is BLANK else (coming.token, coming.checksum)
        left = None if self.until is None else max(0, self.until - now)
        board = self.board
        codec.put_status(out, board.device, self.memory.epoch, codec.FIRMWARE, board.buttons, board.battery(), board.rssi(),
                         uptime, (view.token, view.checksum), left, pending, self.memory.back and self.memory.back[0])


def copy(show, to):
    for name in ("token", "checksum", "seconds", "quantity", "led", "color", "brightness", "fixed", "sound", "packing", "slot"):
        setattr(to, name, getattr(show, name))


def soonest(waits):
    least = None
    for wait in waits:
        if wait is not None and (least is None or wait < least):
            least = wait
    return least
