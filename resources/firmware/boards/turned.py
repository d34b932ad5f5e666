"""A picture of 296 x 128 as panels take it that are built upright: bytes of eight pixels across, 296 of them along."""
import framebuf

ALONG, ACROSS = 296, 128
SIZE = ALONG * ACROSS // 8


def mirror(byte):
    byte = (byte & 0x0F) << 4 | byte >> 4
    byte = (byte & 0x33) << 2 | byte >> 2 & 0x33
    return (byte & 0x55) << 1 | byte >> 1 & 0x55


# Tables for bytes with the top pixel in the lowest bit, where 1 is black. Both invert, so that 1 is white; TOP_FIRST also
# moves the top pixel to the highest bit.
TOP_FIRST = bytes(mirror(byte) ^ 255 for byte in range(256))
TOP_LAST = bytes(byte ^ 255 for byte in range(256))


def turn(picture, out, table):
    """Into `out`: for each eight rows from the top, 296 bytes from the left, through one of the tables."""
    source = framebuf.FrameBuffer(picture, ALONG, ACROSS, framebuf.MONO_HLSB)
    framebuf.FrameBuffer(out, ALONG, ACROSS, framebuf.MONO_VLSB).blit(source, 0, 0)
    for at in range(SIZE):
        out[at] = table[out[at]]
