"""A picture of 296 x 128 as panels take it that are built upright: bytes of eight pixels across, 296 of them along."""
import framebuf

ALONG, ACROSS = 296, 128
SIZE = ALONG * ACROSS // 8


def turn(picture, out, flip):
    """Into `out`: for each eight rows from the top, 296 bytes with the lowest row in the highest bit; 1 is white."""
    source = framebuf.FrameBuffer(picture, ALONG, ACROSS, framebuf.MONO_HLSB)
    framebuf.FrameBuffer(out, ALONG, ACROSS, framebuf.MONO_VLSB).blit(source, 0, 0)
    if flip:
        first, last = 0, SIZE - 1
        while first < last:
            out[first], out[last] = mirror(out[last]), mirror(out[first])
            first, last = first + 1, last - 1
    for at in range(SIZE):
        out[at] ^= 255


def mirror(byte):
    byte = (byte & 0x0F) << 4 | byte >> 4
    byte = (byte & 0x33) << 2 | byte >> 2 & 0x33
    return (byte & 0x55) << 1 | byte >> 1 & 0x55
