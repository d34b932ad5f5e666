"""The picture on the panel, one refresh at a time, and again where the panel fails."""
from core import bits
from core.digits import draw_count

PANEL_MS = 20000


class Paper:
    """`checksum`, `count` and `slot`: of the picture on the screen or on its way there; None: not known, or blank."""

    def __init__(self, board, memory):
        self.board, self.memory = board, memory
        self.picture = bytearray(bits.SIZE)
        self.pixels = memoryview(self.picture)
        self.checksum = self.count = self.slot = None
        self.refreshes = self.until = 0
        self.is_busy = self.is_stuck = False

    def blank(self, now):
        is_new = self.checksum is not None
        self._clear()
        if is_new:
            self._start(now)

    def load(self, slot, checksum):
        """Loads a picture from flash; False if it is not stored."""
        found = self.memory.load(slot, checksum)
        if found is None:
            self._clear()
            return False
        bits.unpack(found[1], found[0], self.pixels)
        self.checksum, self.count, self.slot = checksum, None, slot
        return True

    def unpack(self, show, pixels):
        """Takes a picture that the station has just sent."""
        bits.unpack(pixels, show.packing, self.pixels)
        self.checksum, self.count, self.slot = show.checksum, show.quantity, None

    def draw(self, count, is_new, now):
        """Refreshes the panel where the picture is new or has another count."""
        if count is not None and count != self.count:
            self.number(count)
            is_new = True
        if is_new:
            self._start(now)

    def number(self, count):
        draw_count(self.picture, count)
        self.count = count

    def step(self, now):
        """Answers True once the picture is drawn, and None when the panel does not answer and is started again."""
        if not self.is_busy:
            return True
        if not self.is_stuck and not self.board.panel.busy():
            self.is_busy = False
            return True
        if now < self.until:
            return False
        self.refreshes = 0
        self._start(now)
        return None

    def redraw(self, now):
        self._start(now)

    def _clear(self):
        bits.clear(self.picture)
        self.checksum = self.count = self.slot = None

    def _start(self, now):
        panel = self.board.panel
        is_full = self.refreshes % panel.full_every == 0
        self.refreshes += 1
        self.until, self.is_busy, self.is_stuck = now + PANEL_MS, True, False
        try:
            panel.start(self.picture, is_full)
        except OSError as error:
            self.is_stuck = True
            self.board.log("%s" % error)
