"""Servers for tests, on loopback: S3 by moto, and the same behind TLS, as https:// and with a certificate of its own.

Prints both ports and the path of the certificate, and ends when standard input does. Not for anything but tests.
"""

import asyncio
import datetime
import ipaddress
import logging
import os
import ssl
import sys
import threading

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from moto.server import ThreadedMotoServer


def certificate(folder):
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.timezone.utc)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = os.path.join(folder, "certificate.pem")
    with open(path, "wb") as file:
        file.write(made.public_bytes(serialization.Encoding.PEM))
    with open(os.path.join(folder, "key.pem"), "wb") as file:
        private = serialization.PrivateFormat.PKCS8
        file.write(key.private_bytes(serialization.Encoding.PEM, private, serialization.NoEncryption()))
    return path


async def relay(port, folder):
    """Hands on what comes by TLS, and says where that is."""

    async def pump(source, sink):
        try:
            while data := await source.read(1 << 16):
                sink.write(data)
                await sink.drain()
        except OSError:
            pass
        finally:
            sink.close()

    async def serve(reader, writer):
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(pump(reader, up_writer), pump(up_reader, writer))

    path = certificate(folder)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(path, os.path.join(folder, "key.pem"))
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    print(port, server.sockets[0].getsockname()[1], path, flush=True)
    await server.serve_forever()


def main():
    logging.disable()
    moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    moto.start()
    _, port = moto.get_host_and_port()
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    asyncio.run(relay(port, sys.argv[1]))


main()
