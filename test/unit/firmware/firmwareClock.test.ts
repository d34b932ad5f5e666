import { expect, test } from 'vitest';
import { startChipBoard, openApp, type ChipBoard } from '../../helpers/boards/chipBoard.ts';

const CONFIG = {
  profile: 'esp32s3',
  transport: 'wifi',
  station: '10.0.0.5:4680',
  user: 'board-1',
  key: 'secret',
  ca: 'station.der',
  ssid: 'shop',
  password: 'pass',
};
/** 2026-11-26 12:00 UTC in seconds since 1970. */
const TIME_S = Date.UTC(2026, 10, 26, 12) / 1_000;

/** Opens a board whose station has a certificate that was issued in this year. */
async function openBoard(config: object, year = 2026): Promise<ChipBoard> {
  const say = await startChipBoard('esp32s3');
  say(`
with open("/station.der", "wb") as file:
    file.write(b"der")
CERTIFICATE[0] = ${year}
${openApp({ ...CONFIG, ...config })}
`);
  return say;
}

const encrypted = (say: ChipBoard): string[] => say('print("TLS with 10.0.0.5" in SENT, RTC.now[:3])');

test('connects with TLS although the chip starts in the year 2000, because the installer has written the time', async () => {
  const say = await openBoard({ time: TIME_S });
  say('turns(5000)');
  expect(encrypted(say)).toEqual(['True [2026, 11, 26]']);
  const without = await openBoard({});
  without('turns(20000)');
  expect(encrypted(without)).toEqual(['False [2000, 1, 1]']);
});

test("stores the station's time in flash at most once a day, and sets the clock from it after a power cut", async () => {
  // The board was installed in 2024, and the station renewed its certificate in 2026.
  const say = await openBoard({ time: Date.UTC(2024, 0, 1) / 1_000 });
  expect(
    say(`
WRITES = []
write = board.flash.write
board.flash.write = lambda name, data: (WRITES.append(name), write(name, data))
for hour in range(30):
    board.clock.renew(${TIME_S} + hour * 3600)
print(WRITES, RTC.now)
RTC.now = [2000, 1, 1, 5, 0, 0, 0, 0]
`),
  ).toEqual(["['clock', 'clock'] [2026, 11, 27, 4, 17, 0, 0, 0]"]);
  // The same flash, after a power cut.
  say(openApp({ ...CONFIG, time: Date.UTC(2024, 0, 1) / 1_000 }));
  say('turns(5000)');
  expect(encrypted(say)).toEqual(['True [2026, 11, 27]']);
});

test('a station that stops answering during the TLS handshake blocks a board for less than the watchdog time, and is not mistaken for a wrong clock', async () => {
  const say = await openBoard({ time: TIME_S });
  say('CERTIFICATE[0] = None\nturns(60000)');
  const [count, waits, doubted] = say(
    'print(len(chip.HANDSHAKES))\nprint(set(chip.HANDSHAKES))\nprint(board.clock.is_doubted)',
  );
  expect(Number(count)).toBeGreaterThan(1);
  expect([waits, doubted]).toEqual(['{5}', 'False']);
  say(`CERTIFICATE[0] = 2026\nturns(60000)`);
  expect(encrypted(say)).toEqual(['True [2026, 11, 26]']);
});

test('ignores a damaged time, and does not set a clock that is ahead', async () => {
  const say = await openBoard({ time: TIME_S });
  expect(
    say(`
board.clock.renew(${TIME_S} + 86400)
board.flash.write("clock", b"\\xff\\xff\\xff\\xff\\x00\\x00\\x00\\x00")
from core.clock import Clock
clock = Clock(RTC(), board.flash, ${TIME_S})
RTC.now, RTC.is_set = [2027, 1, 2, 3, 4, 5, 6, 0], []
clock.catch_up()
print(RTC.is_set)
RTC.now = [2026, 1, 1, 3, 0, 0, 0, 0]
clock.catch_up()
print(RTC.now[:3])
`),
  ).toEqual(['[]', '[2026, 11, 26]']);
});

test('a chip that cannot count beyond 2038 ignores a later time, and stays connected', async () => {
  const say = await openBoard({ time: TIME_S });
  const said = say(`
import core.clock
class Short:
    @staticmethod
    def gmtime(seconds):
        if seconds >= 1 << 31:
            raise OverflowError
        return time.gmtime(seconds)
core.clock.time = Short
board.clock.renew(${TIME_S})
board.clock.renew(0xFFFFFFFF)
print(RTC.now[:3], board.clock.saved == ${TIME_S})
`);
  expect(said).toEqual(['[2026, 11, 26] True']);
});

test("a station whose clock was wrong once does not lock out its boards, because they also try the installer's time", async () => {
  const say = await openBoard({ time: TIME_S });
  say(`
board.clock.renew(${Date.UTC(2060, 0, 1) / 1_000})
turns(30000)
`);
  expect(encrypted(say)).toEqual(['True [2026, 11, 26]']);
});
