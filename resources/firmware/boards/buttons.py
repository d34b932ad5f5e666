"""Button edges, queued by interrupts while the program is busy with the panel or the flash."""
import time

import machine

SIZE = 64


class Switch:
    """One contact. `edge` is its interrupt: it allocates nothing, since a hard one must not."""

    def __init__(self, queue, number, pin, pressed):
        self.queue, self.number, self.pressed = queue, number, pressed
        self.pin = machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_DOWN if pressed else machine.Pin.PULL_UP)
        edge, both = self.edge, machine.Pin.IRQ_RISING | machine.Pin.IRQ_FALLING
        try:
            self.pin.irq(edge, both, hard=True)
        except (TypeError, ValueError):  # this chip runs it as soon as it can
            self.pin.irq(edge, both)

    def is_down(self):
        return self.pin.value() == self.pressed

    def edge(self, _):
        self.queue.put(self.number, self.pin.value() == self.pressed)


class Buttons:
    """`plan`: front, plus and minus with their pins, as a profile has them. `of`: the button of each switch."""

    def __init__(self, plan, pressed):
        self.of, self.switches = [], []
        self.ticks, self.what = [0] * SIZE, bytearray(SIZE)
        self.first = self.last = 0
        for button, name in enumerate(("front", "plus", "minus")):
            for pin in plan.get(name, []):
                self.switches.append(Switch(self, len(self.of), pin, pressed))
                self.of.append(button)

    def put(self, number, is_down):
        at = self.last
        after = at + 1 & SIZE - 1
        if after != self.first:
            self.ticks[at] = time.ticks_ms()
            self.what[at] = number << 1 | is_down
            self.last = after

    def down(self):
        bits = 0
        for switch in self.switches:
            if switch.is_down():
                bits |= 1 << switch.number
        return bits

    def take(self):
        """The oldest edge: (switch, is_down, ticks), or None."""
        at = self.first
        if at == self.last:
            return None
        edge = (self.what[at] >> 1, self.what[at] & 1, self.ticks[at])
        self.first = at + 1 & SIZE - 1
        return edge
