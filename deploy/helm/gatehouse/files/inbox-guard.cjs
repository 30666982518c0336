'use strict';

// Loaded before MailDev (`node --require`), which answers every Host, gives every origin's pages leave to read, and
// accepts websockets from anywhere: a page in the developer's browser would read every code. It stands in front of
// whatever this process serves over HTTP, so that there is no other port where MailDev could be asked without it.
const { Server, ServerResponse } = require('node:http');

const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/;
const WORDS = 'The mail inbox answers its own pages alone, at 127.0.0.1 or localhost.\n';

/**
 * Whether the request is the inbox's own page's or comes from no page at all. The name in Host keeps out pages whose
 * own name was made to lead here (DNS rebinding).
 */
function isOwn({ headers }) {
  const { host = '', origin } = headers;
  if (!LOOPBACK.test(host)) return false;
  if (origin !== undefined && origin !== `http://${host}`) return false;
  // Without an Origin a page can still embed what it may not read; following a link is fine.
  const site = headers['sec-fetch-site'] ?? 'none';
  return site === 'none' || site === 'same-origin' || headers['sec-fetch-dest'] === 'document';
}

const emit = Server.prototype.emit;
Server.prototype.emit = function (event, request, answer, ...rest) {
  const isAsked = event === 'request' || event === 'checkContinue' || event === 'checkExpectation';
  if ((isAsked || event === 'upgrade') && !isOwn(request)) {
    if (answer instanceof ServerResponse) answer.writeHead(403, { 'Content-Type': 'text/plain' }).end(WORDS);
    else answer.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    return true;
  }
  if (isAsked) {
    answer.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    answer.setHeader('X-Frame-Options', 'SAMEORIGIN');
  }
  return emit.call(this, event, request, answer, ...rest);
};

const setHeader = ServerResponse.prototype.setHeader;
ServerResponse.prototype.setHeader = function (name, value) {
  return /^access-control-/i.test(name) ? this : setHeader.call(this, name, value);
};
