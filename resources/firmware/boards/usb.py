"""The USB port of a board as its link: standard input and output without control characters."""
import sys

import micropython
import select


class Usb:
    is_network = says_secret = False

    def __init__(self):
        self.input, self.output = sys.stdin.buffer, sys.stdout.buffer
        self.poll = select.poll()
        self.poll.register(self.input, select.POLLIN)
        self.one = bytearray(1)

    def start(self):
        micropython.kbd_intr(-1)

    def ready(self):
        return True

    def read(self, view):
        # Reading more than there is would wait for it.
        count = 0
        while count < len(view) and count < 512 and self.poll.poll(0):
            if not self.input.readinto(self.one):
                break
            view[count] = self.one[0]
            count += 1
        return count

    def write(self, view):
        self.output.write(view)
        return len(view)

    def stop(self):
        pass

    def pause_ms(self):
        return 0
