"""The USB port of a board as its link: standard input and output without control characters.

`is_slow`: it is behind a UART, whose buffer overflows in 22 ms.
"""
import sys

import micropython
import select
from core.light import NO_STATION


class Usb:
    is_network = says_secret = False
    trouble = NO_STATION

    def __init__(self, is_slow=False):
        self.is_slow = is_slow
        self.input, self.output = sys.stdin.buffer, sys.stdout.buffer
        self.poll = select.poll()
        self.poll.register(self.input, select.POLLIN)
        self.one = bytearray(1)

    def start(self):
        micropython.kbd_intr(-1)

    def works(self):
        pass

    def ready(self):
        return True

    def read(self, view):
        # Reading more than there is would wait for it.
        count, size, poll, one, readinto = 0, min(len(view), 512), self.poll.poll, self.one, self.input.readinto
        while count < size and poll(0):
            if not readinto(one):
                break
            view[count] = one[0]
            count += 1
        return count

    def write(self, view):
        self.output.write(view)
        return len(view)

    def stop(self):
        pass

    def pause_ms(self):
        return 0
