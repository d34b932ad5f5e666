"""Wi-Fi, and a connection by TCP over it, with TLS where the station has a certificate and the chip has the memory."""
import errno
import network
import select
import socket
import time

JOIN_MS = 20000
WAITS = (errno.EAGAIN, getattr(errno, "EINPROGRESS", 115), 119)


class Wifi:
    """`ca` in `config`: a file with the certificate to trust, in DER or PEM; without it nothing is encrypted."""

    is_network = True

    def __init__(self, config, host, port, says_secret):
        self.ssid, self.password, self.host, self.port = config["ssid"], config["password"], host, port
        self.ca, self.says_secret = config.get("ca"), says_secret
        # A name in the certificate. Addresses change, and not all chips find them there.
        self.ca_name = config.get("ca_name") or host
        self.radio = network.WLAN(network.STA_IF)
        self.socket = self.raw = None
        self.poll = select.poll()
        self.joined_at, self.is_up = None, False

    def start(self):
        self.stop()
        if self.radio.isconnected():
            self.joined_at = None
            return
        self.radio.active(False)
        self.radio.active(True)
        try:
            # The answer of a press waits for no beacon; costs some 50 mA.
            self.radio.config(pm=getattr(network.WLAN, "PM_NONE", 0xA11140))
        except (OSError, ValueError, TypeError):
            pass
        self.radio.connect(self.ssid, self.password)
        self.joined_at = time.ticks_ms()

    def ready(self):
        if self.socket is not None:
            return self.is_up or self._is_connected()
        if not self.radio.isconnected():
            if self.joined_at is None or time.ticks_diff(time.ticks_ms(), self.joined_at) > JOIN_MS:
                raise OSError("no Wi-Fi")
            return False
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
            return False
        if found[0][1] & (select.POLLERR | select.POLLHUP):
            raise OSError("connection refused")
        self.poll.unregister(self.raw)
        self.poll.register(self.raw, select.POLLIN)
        if self.ca:
            import tls

            context = tls.SSLContext(tls.PROTOCOL_TLS_CLIENT)
            context.verify_mode = tls.CERT_REQUIRED
            with open(self.ca, "rb") as file:
                context.load_verify_locations(file.read())
            self.raw.setblocking(True)
            self.socket = context.wrap_socket(self.raw, server_hostname=self.ca_name)
            self.raw.setblocking(False)
        self.is_up = True
        return True

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
        self.socket = self.raw = None
        self.is_up = False

    def pause_ms(self):
        return 0
