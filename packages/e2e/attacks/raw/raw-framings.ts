/** Ways to announce the length of a body, each with a body. `isWhole`: everything that was announced is sent. */
export function framings(): { name: string; bytes: string; isWhole: boolean }[] {
  const chunked = (body: string, coding = 'chunked') => `Transfer-Encoding: ${coding}\r\n\r\n${body}`;
  const chunks: Record<string, string> = {
    'an extension': '2;a=b\r\n{}\r\n0\r\n\r\n',
    'a quoted extension': '2;a="b;\\"c"\r\n{}\r\n0\r\n\r\n',
    'an extension without a name': '2;\r\n{}\r\n0;;;\r\n\r\n',
    'an extension with NUL': '2;\0\r\n{}\r\n0\r\n\r\n',
    'an extension with a line feed': '2;a\nb\r\n{}\r\n0\r\n\r\n',
    'a long extension': `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    'long extensions': `${`1;${'a'.repeat(1000)}\r\n \r\n`.repeat(30)}0\r\n\r\n`,
    'zeros before its size': `${'0'.repeat(200)}2\r\n{}\r\n0\r\n\r\n`,
    'a size in capitals': `A\r\n{"a":1234}\r\n0\r\n\r\n`,
    'spaces behind its size': '2  \r\n{}\r\n0\r\n\r\n',
    'a space before its size': ' 2\r\n{}\r\n0\r\n\r\n',
    'a size with 0x': '0x2\r\n{}\r\n0\r\n\r\n',
    'a size with a sign': '+2\r\n{}\r\n0\r\n\r\n',
    'a size below zero': '-2\r\n{}\r\n0\r\n\r\n',
    'a size beyond 64 bits': '10000000000000002\r\n{}\r\n0\r\n\r\n',
    'a size in words': 'two\r\n{}\r\n0\r\n\r\n',
    'line feeds alone': '2\n{}\n0\n\n',
    'a carriage return alone': '2\r{}\r\n0\r\n\r\n',
    'more than its size': '1\r\n{}\r\n0\r\n\r\n',
    'a trailer': '2\r\n{}\r\n0\r\nX-Later: yes\r\n\r\n',
    'a trailer that is no header': '2\r\n{}\r\n0\r\nX Later\r\n\r\n',
    'a trailer with a length': '2\r\n{}\r\n0\r\nContent-Length: 99\r\n\r\n',
    'a trailer with NUL': '2\r\n{}\r\n0\r\nX: \0\r\n\r\n',
    'a long trailer': `2\r\n{}\r\n0\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    'a thousand trailers': `2\r\n{}\r\n0\r\n${'X: y\r\n'.repeat(1000)}\r\n`,
    'a byte each': `${'1\r\n \r\n'.repeat(2000)}2\r\n{}\r\n0\r\n\r\n`,
    'no chunk': '0\r\n\r\n',
  };
  const open = {
    'no end': '2\r\n{}\r\n',
    'no size': '\r\n{}\r\n0\r\n\r\n',
    'half a chunk': '99\r\n{}',
    'no trailer’s end': '0\r\n',
  };
  const codings = [
    'Chunked',
    'chunked ',
    ' chunked',
    'chunked,',
    ',chunked',
    '"chunked"',
    'chunked;a=b',
    'x',
    '',
    'gzip, chunked',
  ];
  const odd = [
    'chunked, identity',
    'identity',
    'chunked\r\nTransfer-Encoding: x',
    'chunked\0',
    'chunked\v',
    'gzip',
    'deflate',
  ];
  const lengths = [
    '2',
    '02',
    '+2',
    '-2',
    '-0',
    '0x2',
    '2.0',
    '2e0',
    '2 ',
    '2,2',
    '2, 3',
    '"2"',
    '',
    ' ',
    'two',
    '\u0662',
    '2\0',
  ];
  const far = ['9'.repeat(16), '18446744073709551618', '9'.repeat(30), '9'.repeat(3000), '1_0', '2;', '2 2'];
  const twice = [
    '2\r\nContent-Length: 2',
    '2\r\nContent-Length: 3',
    '0\r\nContent-Length: 2',
    '2\r\ncontent-length: +2',
  ];
  return [
    ...Object.entries(chunks).map(([name, body]) => ({
      name: `chunks with ${name}`,
      bytes: chunked(body),
      isWhole: true,
    })),
    ...Object.entries(open).map(([name, body]) => ({
      name: `chunks with ${name}`,
      bytes: chunked(body),
      isWhole: false,
    })),
    ...[...codings, ...odd].map((coding) => ({
      name: `the coding ${JSON.stringify(coding)}`,
      bytes: chunked('2\r\n{}\r\n0\r\n\r\n', coding),
      isWhole: false,
    })),
    ...[...lengths, ...far, ...twice].map((length) => ({
      name: `the length ${JSON.stringify(length.slice(0, 40))}`,
      bytes: `Content-Length: ${length}\r\n\r\n{}`,
      isWhole: false,
    })),
    ...[
      'Content-Length: 2\r\nTransfer-Encoding: chunked',
      'Transfer-Encoding: chunked\r\nContent-Length: 2',
    ].map((both) => ({
      name: 'both a length and a coding',
      bytes: `${both}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      isWhole: false,
    })),
  ];
}
