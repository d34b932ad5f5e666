"""Wi-Fi, and a connection by TCP over it, with TLS where the station has a certificate and the chip has the memory."""
import errno
import network
import select
import socket
import time
from core.light import NO_STATION, NO_WIFI, WRONG_PASSWORD

# A read within the handshake of TLS blocks: shorter than the watchdog waits.
HANDSHAKE_S = 5
# A radio can say for ever that it is connected, and can hang: after two failures it leaves the network, and after minutes the chip
# restarts. Where the station never answered since the start, later: the station is more likely to be off.
JOIN_MS, CONNECT_MS, FAILURES, RESTART_MS, PATIENT_MS = 20000, 10000, 2, 300000, 3600000
WAITS = (errno.EAGAIN, getattr(errno, "EINPROGRESS", 115), 119)
# How a refused password ends: the handshake on an ESP32 (15, 202, 204), "bad authentication" on a CYW43.
WRONG = (15, 202, 204, -3)


class Wifi:
    """`ca` in `config`: a file with the certificate to trust, in DER or PEM; without it nothing is encrypted. `restart`: of the chip."""

    is_network, is_slow = True, False

    def __init__(self, config, host, port, says_secret, clock, restart):
        self.ssid, self.password, self.host, self.port = config["ssid"], config["password"], host, port
        self.ca, self.says_secret = config.get("ca"), says_secret
        # A name in the certificate. Addresses change, and not all chips find them there.
        self.ca_name = config.get("ca_name") or host
        self.clock, self.restart = clock, restart
        if config.get("country"):
            network.country(config["country"])
        self.radio = network.WLAN(network.STA_IF)
        self.socket = self.raw = None
        self.poll = select.poll()
        self.is_joining = self.is_up = self.is_good = False
        self.failures, self.trouble, self.patience = 0, NO_WIFI, PATIENT_MS
        self.since = self.good_at = time.ticks_ms()

    def start(self):
        self.stop()
        self.since = time.ticks_ms()
        if time.ticks_diff(self.since, self.good_at) > self.patience:
            self.restart()
        self.failures += 1
        if self.radio.isconnected() and self.failures <= FAILURES:
            self.is_joining = False
            return
        if self.failures > FAILURES:
            self.radio.disconnect()
            self.failures = 1
        self.radio.active(False)
        self.radio.active(True)
        try:
            # The answer of a press waits for no beacon; costs some 50 mA.
            self.radio.config(pm=getattr(network.WLAN, "PM_NONE", 0xA11140))
        except (OSError, ValueError, TypeError):
            pass
        self.radio.connect(self.ssid, self.password)
        self.is_joining = True

    def works(self):
        """The station has answered over this connection."""
        self.failures, self.patience, self.is_good = 0, RESTART_MS, True

    def ready(self):
        if self.socket is not None:
            return self.is_up or self._is_connected()
        if not self.radio.isconnected():
            self.trouble = WRONG_PASSWORD if self.radio.status() in WRONG else NO_WIFI
            if not self.is_joining or time.ticks_diff(time.ticks_ms(), self.since) > JOIN_MS:
                raise OSError("no Wi-Fi")
            return False
        self.trouble, self.since = NO_STATION, time.ticks_ms()
        address = socket.getaddrinfo(self.host, self.port, 0, socket.SOCK_STREAM)[0][-1]
        self.raw = self.socket = socket.socket()
        self.raw.setblocking(False)
        try:
            self.raw.connect(address)
        except OSError as error:
            if error.errno not in WAITS:
                raise
        self.poll.register(self.raw, select.POLLOUT)
        return False

    def _is_connected(self):
        found = self.poll.poll(0)
        if not found:
            if time.ticks_diff(time.ticks_ms(), self.since) > CONNECT_MS:
                raise OSError("no answer of the station")
            return False
        if found[0][1] & (select.POLLERR | select.POLLHUP):
            raise OSError("connection refused")
        self.poll.unregister(self.raw)
        self.poll.register(self.raw, select.POLLIN)
        if self.ca:
            self._encrypt()
        self.is_up = True
        return True

    def _encrypt(self):
        import tls

        self.clock.catch_up()
        context = tls.SSLContext(tls.PROTOCOL_TLS_CLIENT)
        context.verify_mode = tls.CERT_REQUIRED
        with open(self.ca, "rb") as file:
            context.load_verify_locations(file.read())
        self.raw.settimeout(HANDSHAKE_S)
        try:
            self.socket = context.wrap_socket(self.raw, server_hostname=self.ca_name)
        except OSError as error:
            if error.errno != errno.ETIMEDOUT:
                self.clock.doubt()
            raise
        self.raw.setblocking(False)

    def read(self, view):
        try:
            count = self.socket.readinto(view)
        except OSError as error:
            if error.errno in WAITS:
                return 0
            raise
        if count == 0:
            raise OSError("closed by the station")
        return count or 0

    def write(self, view):
        try:
            return self.socket.write(view) or 0
        except OSError as error:
            if error.errno in WAITS:
                return 0
            raise

    def stop(self):
        if self.raw is not None:
            try:
                self.poll.unregister(self.raw)
            except (OSError, KeyError):
                pass
            self.socket.close()
            if self.socket is not self.raw:
                self.raw.close()
        if self.is_good:
            self.good_at, self.is_good = time.ticks_ms(), False
        self.socket = self.raw = None
        self.is_up = False

    def pause_ms(self):
        return 0
