"""Pictures of 296 x 128 pixels, one bit each, 37 bytes a row, packed as PackBits or not."""
WIDTH, HEIGHT, ROW = 296, 128, 37
SIZE = ROW * HEIGHT
RAW, PACKED = 0, 1


def is_picture(data, packing):
    """Whether it unpacks to a whole picture, and no more."""
    if packing == RAW:
        return len(data) == SIZE
    at, size, end = 0, 0, len(data)
    while at < end:
        n = data[at]
        at += 1
        if n < 128:
            at += n + 1
            size += n + 1
        elif n > 128:
            at += 1
            size += 257 - n
    return at == end and size == SIZE


def unpack(data, packing, out):
    """Into `out`, a memoryview of a picture. The data have been checked."""
    if packing == RAW:
        out[0:SIZE] = data
        return
    at, to, end = 0, 0, len(data)
    while at < end:
        n = data[at]
        at += 1
        if n < 128:
            out[to : to + n + 1] = data[at : at + n + 1]
            at += n + 1
            to += n + 1
        elif n > 128:
            byte = data[at]
            at += 1
            for to in range(to, to + 257 - n):
                out[to] = byte
            to += 1


def clear(out):
    for at in range(SIZE):
        out[at] = 0


def bar(out, y, x, end, black):
    """A row of pixels from `x` to before `end`."""
    row = y * ROW
    first, last = x >> 3, (end - 1) >> 3
    for at in range(first, last + 1):
        mask = 255
        if at == first:
            mask &= 255 >> (x & 7)
        if at == last:
            mask &= 255 << (7 - (end - 1 & 7)) & 255
        out[row + at] = out[row + at] | mask if black else out[row + at] & ~mask & 255


def is_bar(out, y, x, end, black):
    """Whether all these pixels have this color."""
    row = y * ROW
    first, last = x >> 3, (end - 1) >> 3
    for at in range(first, last + 1):
        mask = 255
        if at == first:
            mask &= 255 >> (x & 7)
        if at == last:
            mask &= 255 << (7 - (end - 1 & 7)) & 255
        if out[row + at] & mask != (mask if black else 0):
            return False
    return True
