"""Buttons: a short or long press of the front, plus and minus. Contacts bounce."""
BOUNCE_MS, IMPULSE_MS, LONG_MS = 30, 8, 800


class Hands:
    """`buttons`: of each switch which button it is: 0 front, 1 plus, 2 minus. Edges come late, but with their time."""

    def __init__(self, buttons):
        self.buttons = buttons
        self.down = self.polled = 0
        self.since = [-BOUNCE_MS] * len(buttons)
        self.told = [True] * len(buttons)

    def step(self, now, down, edges=()):
        """Answers [(button, hold, at)]. `down`: the switches as bits. `edges`: (switch, is_down, at) since the last call.

        The front counts when it is let go, or as long while it is still held.
        """
        presses = []
        for switch, is_down, at in without_impulses(edges) if edges else ():
            self._edge(switch, is_down, at, presses)
        for switch in range(len(self.buttons)):
            is_down = down >> switch & 1
            if is_down != self.down >> switch & 1:
                if now - self.since[switch] >= BOUNCE_MS:
                    self._change(switch, now, presses)
            elif is_down and self.buttons[switch] == 0 and not self.told[switch] and now - self.since[switch] >= LONG_MS:
                self.told[switch] = True
                presses.append((0, 1, now))
        self.polled = now
        return presses

    def _edge(self, switch, is_down, at, presses):
        if at - self.since[switch] < BOUNCE_MS:
            return
        if is_down != self.down >> switch & 1:
            self._change(switch, at, presses)
        elif at - self.polled >= BOUNCE_MS:
            # The chip was busy for so long that both edges came before its interrupt: there and back.
            self._change(switch, at, presses)
            self._change(switch, at, presses)

    def _change(self, switch, at, presses):
        bit = 1 << switch
        self.down ^= bit
        held, self.since[switch] = at - self.since[switch], at
        button = self.buttons[switch]
        if self.down & bit:
            self.told[switch] = False
            if button:
                presses.append((button, 0, at))
        elif button == 0 and not self.told[switch]:
            self.told[switch] = True
            presses.append((0, int(held >= LONG_MS), at))

    def wait(self, now):
        """Milliseconds until a front button that is held counts as long; None: none is."""
        for switch, button in enumerate(self.buttons):
            if button == 0 and self.down >> switch & 1 and not self.told[switch]:
                return max(0, self.since[switch] + LONG_MS - now)
        return None


def without_impulses(edges):
    """Leaves out contacts that open or close for a moment."""
    left = []
    for edge in edges:
        for place in range(len(left) - 1, -1, -1):
            other = left[place]
            if other[0] == edge[0]:
                if other[1] != edge[1] and edge[2] - other[2] < IMPULSE_MS:
                    left.pop(place)
                    edge = None
                break
        if edge:
            left.append(edge)
    return left
