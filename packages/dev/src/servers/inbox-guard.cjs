'use strict';

// Loaded before MailDev (`node --require`). MailDev answers requests for every Host, allows pages of every origin to
// read responses, and accepts websockets from anywhere, so any page in the developer's browser could read every code.
// This guard applies to every HTTP server of this process, so that no port of MailDev can be used without it.
const { Server, ServerResponse } = require('node:http');

const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/;
const WORDS = 'The mail inbox answers its own pages alone, at 127.0.0.1 or localhost.\n';

/**
 * Whether the request comes from a page of the inbox itself, or not from a page at all. The check of Host keeps out
 * pages whose host name was made to resolve to this machine (DNS rebinding).
 */
function isOwn({ headers }) {
  const { host = '', origin } = headers;
  if (!LOOPBACK.test(host)) return false;
  if (origin !== undefined && origin !== `http://${host}`) return false;
  // Without an Origin header, a page can still embed resources that it cannot read. Following a link is allowed.
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
