"""What is seen and heard: the LED and its patterns, and tunes."""
# Why a board has no station, as so many red flashes every few seconds while nothing is lit.
NO_WIFI, WRONG_PASSWORD, NO_STATION, REFUSED = 2, 3, 4, 5
CODE_MS, CODE_EVERY_MS = 150, 6000
PERIOD_MS, FLICKER_MS = 1000, 60
SEMITONES = {"c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11}
OFF, STEADY, BLINK = range(3)


class Light:
    """`led(red, green, blue)`, each 0 to 255; a white one takes the brightest."""

    def __init__(self, led):
        self.led = led
        self.mode, self.color, self.since, self.flicker = OFF, 0, 0, 0
        self.lit, self.code = None, 0

    def show(self, mode, color, brightness, fixed, now):
        percent = 100 if fixed else min(100, brightness)
        red, green, blue = color >> 16, color >> 8 & 255, color & 255
        self.color = (red * percent // 100) << 16 | (green * percent // 100) << 8 | blue * percent // 100
        self.mode, self.since = mode if self.color else OFF, now
        self.step(now)

    def off(self, now):
        self.show(OFF, 0, 0, True, now)

    def refuse(self, now):
        """Flickers white."""
        self.flicker = now + 6 * FLICKER_MS
        self.step(now)

    def step(self, now):
        """Answers milliseconds until the next change, or None."""
        wait = None
        if now < self.flicker:
            color = 0xFFFFFF if (self.flicker - now) // FLICKER_MS & 1 else 0
            wait = (self.flicker - now) % FLICKER_MS or FLICKER_MS
        elif self.mode == BLINK:
            phase = (now - self.since) % PERIOD_MS
            color = self.color if phase < PERIOD_MS // 2 else 0
            wait = PERIOD_MS // 2 - phase % (PERIOD_MS // 2)
        elif self.mode == OFF and self.code:
            phase = now % CODE_EVERY_MS
            color = 0xFF0000 if phase < self.code * 2 * CODE_MS and phase // CODE_MS & 1 == 0 else 0
            wait = CODE_MS - phase % CODE_MS
        else:
            color = self.color if self.mode == STEADY else 0
        if color != self.lit:
            self.lit = color
            self.led(color >> 16, color >> 8 & 255, color & 255)
        return wait


def frequency(note):
    """In Hz, 0 for a pause: `c5`, `a5s`, `p`."""
    if note[:1] not in SEMITONES or len(note) < 2:
        return 0
    above = int(note[1]) * 12 + SEMITONES[note[0]] + (note[2:] == "s") - 57
    return int(440 * 2 ** (above / 12) + 0.5)


class Tune:
    """`tone(hz)` sounds until the next call; 0 is silence."""

    def __init__(self, tone):
        self.tone, self.left, self.unit, self.due = tone, [], 0, 0

    def play(self, sound, now):
        self.stop()
        parts = sound.split(",")
        try:
            self.unit = int(parts[0])
            self.left = [(frequency(parts[at]), int(parts[at + 1])) for at in range(1, len(parts) - 1, 2)]
        except ValueError:
            self.left = []
        self.due = now
        self.step(now)

    def stop(self):
        self.left = []
        self.tone(0)

    def step(self, now):
        if not self.due:
            return None
        while now >= self.due:
            if not self.left:
                self.tone(0)
                self.due = 0
                return None
            hz, units = self.left.pop(0)
            self.tone(hz)
            self.due += units * self.unit
        return self.due - now
