"""The USB port of a board as its link: standard input and output without control characters.

`is_slow`: it is behind a UART, whose buffer overflows in 22 ms.
"""
import sys

import micropython
import select
from core.frames import HEAD
from core.light import NO_STATION

# A read blocks until all requested bytes have arrived, and MicroPython cannot say how many there are.
CHUNK, MOST = 16, 512


class Usb:
    is_network = says_secret = False
    trouble = NO_STATION
    expected = 0  # bytes of the frame that has begun

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
        """Reads up to the end of a frame, or of its head. Within a frame it reads a few bytes at once, which is ten times faster than one by one.

        If the rest of a frame is lost, it waits until the station repeats its request.
        """
        count, size, poll, one, readinto = 0, min(len(view), self.expected or HEAD, MOST), self.poll.poll, self.one, self.input.readinto
        whole = self.expected != 0
        while count < size and poll(0):
            chunk = min(CHUNK, size - count) if whole else 1
            if chunk > 1:
                readinto(view[count : count + chunk])
            elif readinto(one):
                view[count] = one[0]
            else:
                break
            count += chunk
        return count

    def write(self, view):
        self.output.write(view)
        return len(view)

    def stop(self):
        pass

    def pause_ms(self):
        return 0
