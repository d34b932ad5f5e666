"""One device: what its worker sees and does.

From the background to work, light and token change at once, and the picture follows: nothing on the screen can be mistaken for the new
work. From work to work they change with the picture, so a press belongs to what the worker saw.
"""
from core import bits, codec
from core.light import Light, Tune
from core.memory import View
from core.paper import Paper

ENDED_MS, HELD_SHOWN, MOST = 60000, 4, 999
BLANK, COUNT, BOOT = "blank", "count", "boot"


class Device:
    """`drawing`: what the panel draws; a Show, BLANK, COUNT (the same with another number), BOOT, or None. `next`: what follows; a Show, BLANK, or None.

    A drawing ends in `_drawn`, which shows it to the worker, or in `_failed`; `_due` says what begins then.
    """

    def __init__(self, board, memory):
        self.board, self.memory, self.paper = board, memory, Paper(board, memory)
        self.buffer = bytearray(bits.SIZE)  # what comes next, as it came
        self.size = 0
        self.shows = [codec.Show(), codec.Show()]
        self.next = self.drawing = None
        self.on_screen = None  # the token whose picture is on the screen; None: not known
        self.until = None
        self.shown = []  # [token, checksum, at], the newest four
        self.told = [(token, 0) for token in memory.over]  # ended tokens whose report the station has, and since when
        self.light, self.tune = Light(board.led), Tune(board.tone)
        self.refused = 0
        self.is_ready = False
        self.has_news = False  # the station believes what is no longer so
        self.seen_at, self.seen_before = 0, 0  # since when its token counts, and which one counted before

    def start(self, now):
        """Draws the screen again, since the power may have failed during a refresh. Refuses presses until then."""
        self.told = [(token, now) for token, _ in self.told if not self.is_held(token)]
        memory, paper = self.memory, self.paper
        if memory.view.token == 0:
            memory.view = View()
            if memory.back:
                memory.view.checksum, memory.view.slot = memory.back
        view = memory.view
        if not paper.load(view.slot, view.checksum):
            view.end()
            view.checksum = view.slot = None
        else:
            paper.count = view.quantity
            if view.count is not None and view.count != view.quantity:
                paper.number(view.count)
        self.drawing = BOOT
        paper.redraw(now)

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
        is_drawn = self.paper.checksum == checksum and not isinstance(self.drawing, codec.Show)
        return view.checksum == checksum and (view.slot is not None or is_drawn)

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

    def _is_dark(self):
        """Whether neither the light nor the screen shows work, and no picture of work is on its way."""
        is_coming = isinstance(self.drawing, codec.Show) and self.drawing.token != 0
        return self.memory.view.token == 0 and self.on_screen == 0 and not is_coming

    def _waits_lit(self):
        return self.next not in (None, BLANK) and self.next.is_seen

    def _due(self):
        """What to draw now: nothing beside another drawing; else the next picture; else the count that the worker has changed."""
        if self.drawing is not None:
            return None
        if self.next is not None:
            return self.next
        view = self.memory.view
        is_counted = view.token and view.count is not None and self.on_screen == view.token
        return COUNT if is_counted and view.count != self.paper.count else None

    def _draw_next(self, now):
        """Lights work that comes to a dark screen, and begins what is due."""
        coming = self.next
        if coming not in (None, BLANK) and coming.token and self._is_dark():
            self._light(coming, now)
        due = self._due()
        if due is None:
            return
        self.drawing = due
        if due is COUNT:
            self.paper.draw(self.memory.view.count, True, now)
            return
        self.next = None
        if due is BLANK:
            self.paper.blank(now)
        else:
            self._draw(due, now)
        self.step(now)

    def _draw(self, show, now):
        paper = self.paper
        is_new = show.checksum != paper.checksum
        is_sent = is_new and show.slot is None
        if is_sent:
            paper.unpack(show, self._buffered())
        elif is_new and paper.load(show.slot, show.checksum):
            paper.count = show.quantity
        elif is_new:
            self._put_out(show)  # its picture is lost
        paper.draw(self._count_of(show), is_new, now)
        if is_sent:
            try:  # while the panel draws
                paper.slot = self.memory.save(show.checksum, show.packing, self._buffered(), self._busy_slots())
            except OSError:
                pass
        if show.slot is None:
            show.slot = paper.slot
        if show.is_seen:
            self._remember_view(show)

    def _drawn(self, now):
        drawing, self.drawing = self.drawing, None
        if drawing is BOOT:
            self._started(now)
        elif drawing is not COUNT:
            is_blank = drawing is BLANK or self.paper.checksum is None
            self.on_screen = 0 if is_blank else drawing.token
            if self.on_screen and self.has_ended(drawing.token, now):  # pressed before its picture was drawn
                self._go_back(drawing.token, now)
            elif not (drawing is not BLANK and drawing.is_seen) and not self._waits_lit():
                self._see(View() if drawing is BLANK else self._view_of(drawing), drawing, now)
        self._draw_next(now)

    def _started(self, now):
        self.is_ready = True
        view = self.memory.view
        self.on_screen = view.token
        if view.token:
            self.until = now + view.seconds * 1000 if view.seconds else None
            self.seen_at = self.board.fresh(now)
            self.light.show(view.led, view.color, view.brightness, view.fixed, now)
            self.shown.append([view.token, view.checksum, now])

    def _failed(self):
        """The panel does not answer, and is started again."""
        self.is_ready = True  # so that the station learns that nothing is shown
        for show in (self.drawing, self.next):
            if isinstance(show, codec.Show):
                self._put_out(show)
        if self.drawing is not COUNT:
            self.on_screen = None

    def _put_out(self, show):
        """Work that was lit before its picture: nobody can read what it is, so it is not shown."""
        view = self.memory.view
        if not show.is_seen or view.token != show.token:
            return
        show.is_seen = False
        view.end()
        view.checksum = view.slot = self.until = None
        self.light.off(0)
        self.tune.stop()
        self.shown = [each for each in self.shown if each[0] != show.token]
        self.has_news = True

    def _view_of(self, show):
        view = View()
        view.token, view.checksum, view.slot = show.token, show.checksum, show.slot
        view.count, view.most, view.quantity = self._count_of(show), max(MOST, show.quantity or 0), show.quantity
        if show.token:
            view.seconds, view.led, view.color = show.seconds, show.led, show.color
            view.brightness, view.fixed = show.brightness, show.fixed
        return view

    def _light(self, show, now):
        """Work on a screen that shows none: its picture follows, and then its record in flash."""
        show.is_seen = True
        self._show(self._view_of(show), show, self.board.fresh(now))

    def _remember_view(self, show):
        view = self.memory.view
        if view.token == show.token:
            view.slot = show.slot
            try:
                self.memory.show(view)
            except OSError:
                pass  # forgotten at a power cut, and then shown again by the station

    def _see(self, view, show, now):
        """The worker sees this now, and the panel is done."""
        # From the end of a command to its background nothing is new: the flash has both.
        is_new = view.token or self.memory.view.token
        if view.checksum is not None and self.paper.checksum is None:
            # Its picture was not in flash: nobody can read what it is, so it is not shown, and the station learns it.
            view.end()
            view.checksum = view.slot = None
            self.has_news = True
        self._show(view, show, now)
        if is_new:
            try:
                self.memory.show(view)
            except OSError:
                pass

    def _show(self, view, show, now):
        self.seen_before, self.seen_at = self.memory.view.token, self.board.fresh(now)
        self.memory.view = view
        self.light.show(view.led, view.color, view.brightness, view.fixed, now)
        self.until = now + view.seconds * 1000 if view.token and view.seconds else None
        if view.checksum is not None:
            if self.shown and self.shown[-1][0] == 0:
                self.shown.pop()
            self.shown.append([view.token, view.checksum, now])
            if len(self.shown) > HELD_SHOWN:
                self.shown.pop(0)
        if view.token and show.sound:
            self.tune.play(show.sound, now)

    # -- The worker --

    def press(self, button, hold, now, at=None):
        """Whether it is taken: 0 front, 1 plus, 2 minus; hold 1 is long. `at`: when, if it was earlier."""
        view, at = self.memory.view, now if at is None else at
        is_before = at < self.seen_at
        token = self.seen_before if is_before else view.token
        count = view.count if token and token == view.token else None
        if button and count is not None:
            count = max(0, min(view.most, count + (1 if button == 1 else -1)))
        try:
            taken = self.is_ready and not self.memory.is_full()
            report = self.memory.report(token, button, hold, count, at) if taken else None
        except OSError:
            report = None
        if report is None:
            self.refused += 1
            self.light.refuse(now)
            return None
        if report.ends() and not is_before:
            self._ended(token, now)
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
        if self.drawing is not None:
            is_drawn = self.paper.step(now)
            if is_drawn:
                self._drawn(now)
            elif is_drawn is None:
                self._failed()
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
        if isinstance(coming, codec.Show) and coming.is_seen:
            coming = None  # lit, and its picture is on its way
        pending = None if coming is None else (0, None) if coming is BLANK else (coming.token, coming.checksum)
        left = None if self.until is None else max(0, self.until - now)
        board = self.board
        codec.put_status(out, board.device, self.memory.epoch, codec.FIRMWARE, board.buttons, board.battery(), board.rssi(),
                         uptime, (view.token, view.checksum), left, pending, self.memory.back and self.memory.back[0])


def copy(show, to):
    for name in ("token", "checksum", "seconds", "quantity", "led", "color", "brightness", "fixed", "sound", "packing", "slot"):
        setattr(to, name, getattr(show, name))
    to.is_seen = False


def soonest(waits):
    least = None
    for wait in waits:
        if wait is not None and (least is None or wait < least):
            least = wait
    return least
