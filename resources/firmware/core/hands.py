"""Buttons: a short or long press of the front, plus and minus. Contacts bounce."""
BOUNCE_MS, LONG_MS = 30, 800


class Hands:
    """`step` takes which buttons are down, as bits: 1 front, 2 plus, 4 minus."""

    def __init__(self, buttons):
        self.count = buttons
        self.down = self.changed = 0
        self.since = [0] * buttons
        self.is_told = True

    def step(self, now, down):
        """Yields (button, hold). The front counts when it is let go, or as long while it is still held."""
        for button in range(self.count):
            bit = 1 << button
            if (down ^ self.down) & bit and now - self.since[button] >= BOUNCE_MS:
                self.down ^= bit
                held, self.since[button] = now - self.since[button], now
                if down & bit:
                    if button:
                        yield button, 0
                    else:
                        self.is_told = False
                elif button == 0 and not self.is_told:
                    self.is_told = True
                    yield 0, int(held >= LONG_MS)
            elif button == 0 and self.down & 1 and not self.is_told and now - self.since[0] >= LONG_MS:
                self.is_told = True
                yield 0, 1

    def wait(self, now):
        """Milliseconds until a button that is held counts as long; None: none is."""
        return max(0, self.since[0] + LONG_MS - now) if self.down & 1 and not self.is_told else None
