"""Who is calling? Asks Gatehouse. Python 3.9 or newer, standard library only."""
import json
import os
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

GATEHOUSE = os.environ.get('GATEHOUSE', 'https://auth.example.com')
# Without the proxies of the environment, which would read every token.
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Refused(Exception):
    """401: the code says why."""


class Unavailable(Exception):
    """503: nobody knows. Never take it for a refusal, and never let the caller in."""


def who_calls(authorization):
    """The caller's account, session and role. A static token has a role alone."""
    if not authorization:
        raise Refused('token_missing')
    request = urllib.request.Request(GATEHOUSE + '/ping/auth', headers={'Authorization': authorization})
    try:
        with opener.open(request, timeout=5) as answer:
            return {name: answer.headers.get('X-Auth-' + name) for name in ('Account', 'Session', 'Role')}
    except urllib.error.HTTPError as error:
        if error.code == 401:
            raise Refused(error.headers.get('X-Auth-Error', 'token_invalid')) from None
        raise Unavailable() from error
    except ValueError:
        # What cannot be sent as a header is no token.
        raise Refused('token_invalid') from None
    except OSError as error:
        raise Unavailable() from error


class Api(BaseHTTPRequestHandler):
    def do_GET(self):
        try:
            self.answer(200, who_calls(self.headers.get('Authorization')))
        except Refused as refused:
            self.answer(401, {'code': str(refused)})
        except Unavailable:
            self.answer(503, {'code': 'unavailable'})

    def answer(self, status, body):
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_):
        pass


if __name__ == '__main__':
    ThreadingHTTPServer(('127.0.0.1', int(os.environ.get('PORT', '3000'))), Api).serve_forever()
