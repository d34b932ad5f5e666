"""Draws the count into the box of the quantity: the station does not send a picture again for plus and minus."""
from core.bits import HEIGHT, WIDTH, bar, is_bar

# Ten figures and a plus, 8 x 12, drawn for this program: a byte is a row.
FIGURES = (
    b"\x3c\x7e\xe7\xc3\xc3\xc3\xc3\xc3\xc3\xe7\x7e\x3c"
    b"\x18\x38\x78\x78\x18\x18\x18\x18\x18\x18\x7e\x7e"
    b"\x3c\x7e\xe7\xc3\x03\x07\x0e\x1c\x38\x70\xff\xff"
    b"\x3c\x7e\xe7\x03\x07\x1e\x1e\x07\x03\xe7\x7e\x3c"
    b"\x0e\x1e\x36\x36\x66\x66\xc6\xff\xff\x06\x06\x06"
    b"\xff\xff\xc0\xc0\xfc\xfe\x07\x03\x03\xe7\x7e\x3c"
    b"\x3c\x7e\xe7\xc0\xdc\xfe\xe7\xc3\xc3\xe7\x7e\x3c"
    b"\xff\xff\x03\x06\x06\x0c\x0c\x18\x18\x30\x30\x30"
    b"\x3c\x7e\xe7\xc3\xe7\x7e\x7e\xe7\xc3\xe7\x7e\x3c"
    b"\x3c\x7e\xe7\xc3\xc3\xe7\x7f\x3b\x03\xe7\x7e\x3c"
    b"\x00\x00\x18\x18\x18\x7e\x7e\x18\x18\x18\x00\x00"
)
ACROSS, DOWN, GAP = 8, 12, 2

# Where shared/screen puts the box of a quantity: left, top, width, height, border. Larger ones first.
BOXES = bytes((
    30, 5, 236, 118, 4, 31, 24, 234, 99, 4, 68, 5, 160, 118, 4, 6, 5, 108, 118, 4, 6, 24, 108, 99, 4,
    6, 4, 108, 88, 4, 6, 5, 104, 80, 2, 186, 5, 104, 80, 2, 6, 43, 104, 80, 2, 186, 43, 104, 80, 2,
    6, 21, 108, 71, 2, 6, 4, 84, 88, 2, 44, 4, 84, 88, 2, 168, 4, 84, 88, 2, 3, 4, 83, 88, 2,
    6, 24, 104, 61, 2, 186, 24, 104, 61, 2, 6, 62, 104, 61, 2, 186, 62, 104, 61, 2, 6, 21, 84, 71, 2,
    44, 21, 84, 71, 2, 168, 21, 84, 71, 2, 6, 3, 104, 57, 2, 3, 21, 83, 71, 2, 6, 74, 84, 53, 1,
    78, 1, 84, 53, 1, 75, 4, 57, 74, 2,
))  # fmt: skip
# For a picture without any of them.
CORNER = (WIDTH - 84, HEIGHT - 53, 84, 53, 1)


def find_box(picture):
    """The first of the boxes whose frame is in the picture, with white inside it; None: there is none."""
    for at in range(0, len(BOXES), 5):
        x, y, width, height, border = BOXES[at : at + 5]
        if is_box(picture, x, y, width, height, border):
            return x, y, width, height, border
    return None


def is_box(picture, x, y, width, height, border):
    right, bottom = x + width, y + height
    for row in range(border):
        if not is_bar(picture, y + row, x, right, True) or not is_bar(picture, bottom - 1 - row, x, right, True):
            return False
    if not is_bar(picture, y + border, x + border, right - border, False):
        return False
    for row in range(y + border, bottom - border):
        if not (
            is_bar(picture, row, x, x + border, True)
            and is_bar(picture, row, x + border, x + border + 1, False)
            and is_bar(picture, row, right - border - 1, right - border, False)
            and is_bar(picture, row, right - border, right, True)
        ):
            return False
    return True


def draw_count(picture, count):
    """Changes the number in its box, and nothing else."""
    box = find_box(picture)
    x, y, width, height, border = box or CORNER
    for row in range(y, y + height):
        edge = box is None and (row == y or row == y + height - 1)
        bar(picture, row, x, x + width, True)
        if not edge and y + border <= row < y + height - border:
            bar(picture, row, x + border, x + width - border, False)
    pad = 2 * border + 2
    text = str(count) if count <= 999 else "999+"
    draw_text(picture, text, x + pad, y + pad, width - 2 * pad, height - 2 * pad)


def draw_text(picture, text, x, y, width, height):
    """Draws digits centered and as large as possible, at most twice as high as wide."""
    cells = max(2, len(text)) * (ACROSS + GAP) - GAP
    used = len(text) * (ACROSS + GAP) - GAP
    # In 16ths of a pixel for each cell.
    step = min(width * 16 // cells, height * 16 // DOWN)
    tall = min(height * 16 // DOWN, step * 3 // 2)
    left, top = x + (width - used * step // 16) // 2, y + (height - DOWN * tall // 16) // 2
    for index, char in enumerate(text):
        glyph = 10 if char == "+" else ord(char) - 48
        for row in range(DOWN):
            byte = FIGURES[glyph * DOWN + row]
            column = 0
            while column < ACROSS:
                if not byte & 128 >> column:
                    column += 1
                    continue
                start = column
                while column < ACROSS and byte & 128 >> column:
                    column += 1
                cell = index * (ACROSS + GAP)
                first, last = left + (cell + start) * step // 16, left + (cell + column) * step // 16
                for line in range(top + row * tall // 16, top + (row + 1) * tall // 16):
                    bar(picture, line, first, last, True)
