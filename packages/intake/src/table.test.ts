import assert from 'node:assert/strict';
import { convertTable, guessMapping } from './mapping.ts';
import { readCsv, readTable, separatorOf } from './table.ts';
import { decodeFile } from './text-file.ts';

const accountsOf = (text: string): unknown => {
  const reading = readTable(text);
  if (reading.kind !== 'table') return reading;
  return convertTable(reading.table, guessMapping(reading.table)).lines.map(({ at, line }) => [at, line]);
};

describe('a file of accounts', () => {
  const ann = { Email: 'ann@example.com', DisplayName: 'Ann' };
  const kim = { Email: 'kim@example.com', DisplayName: 'Jürgen Müller' };

  it('is CSV, a JSON array or JSON lines', () => {
    assert.deepEqual(accountsOf('E-Mail;Full name;Age\r\nann@example.com;Ann;7\r\n\r\nx;;\r\n'), [
      [2, ann],
      [4, { Email: 'x' }],
    ]);
    assert.deepEqual(accountsOf(`[${JSON.stringify(ann)}, 7]`), [
      [1, ann],
      [2, {}],
    ]);
    assert.deepEqual(
      accountsOf(`${JSON.stringify({ ...ann, more: {} })}\n\n{"Email":\n{"email_address":"y"}`),
      [
        [1, ann],
        [3, {}],
        [4, {}],
      ],
    );
  });

  it('has rows with text: Excel writes others below a table', () =>
    assert.deepEqual(accountsOf('Email;Name\r\nann@example.com;Ann\r\n ;\r\n;\r\n'), [[2, ann]]));

  it('has groups, as a list or as text with commas', () => {
    const expected = { Email: 'x', Groups: ['editors', 'sales'] };
    for (const text of ['{"Email":"x","groups":["editors","sales"]}', 'Email;Groups\nx;editors, sales'])
      assert.deepEqual(accountsOf(text), [[text.startsWith('{') ? 1 : 2, expected]]);
  });

  for (const [what, header, row] of [
    ['of German Excel', 'E-Mail-Adresse;Vorname;Nachname', 'kim@example.com;Jürgen;Müller'],
    ['of German lists', 'Name;Vorname;E-Mail', 'Müller;Jürgen;kim@example.com'],
    ['of Entra', 'userPrincipalName,displayName,accountEnabled', 'kim@example.com,Jürgen Müller,TRUE'],
    ['of Entra with mail', 'userPrincipalName,mail,givenName,surname', 'k@x,kim@example.com,Jürgen,Müller'],
    [
      'of the template of Entra',
      'version:v1.0,,\r\nName [displayName] Required,User name [userPrincipalName] Required,First name [givenName]',
      'Jürgen Müller,kim@example.com,Jürgen',
    ],
    [
      'of Thunderbird',
      'Vorname,Nachname,Anzeigename,Primäre E-Mail-Adresse,Sekundäre E-Mail-Adresse',
      'Jürgen,Müller,Jürgen Müller,kim@example.com,k@x',
    ],
    ['of Okta', 'login,firstName,lastName,email', 'jm,Jürgen,Müller,kim@example.com'],
    [
      'of Microsoft 365',
      '"Block credential","Display name","First name","User principal name"',
      '"False","Jürgen Müller","Jürgen","kim@example.com"',
    ],
    [
      'of a database, with NULL',
      'email,name,given_name,surname,password_hash,role',
      'kim@example.com,NULL,Jürgen,Müller,\\N,NULL',
    ],
    [
      'of Google',
      'First Name [Required],Last Name [Required],Email Address [Required]',
      'Jürgen,Müller,kim@example.com',
    ],
    ['of Keycloak', 'username,email,firstName,lastName', 'jm,kim@example.com,Jürgen,Müller'],
    ['with an index in front', ',email,name', '0,kim@example.com,Jürgen Müller'],
    ['after sep=;', 'sep=;\r\nEmail;Name', 'kim@example.com;Jürgen Müller'],
    ['after sep=|', 'SEP=|\nEmail|Name', 'kim@example.com|Jürgen Müller'],
    ['after the type', '#TYPE Some.Type\r\n"mail","cn"', '"kim@example.com","Jürgen Müller"'],
    ['of LDAP', 'dn,mail,givenName,sn,memberOf', '"x,y",kim@example.com,Jürgen,Müller,"CN=Sales,DC=x"'],
    [
      'with quoted separators',
      '"Name, Vorname";Email;"Anzeigename, kurz";Full name',
      ';kim@example.com;;Jürgen Müller',
    ],
    ['decomposed', 'E-Mail;Vollsta\u0308ndiger Name', 'kim@example.com;Jürgen Müller'],
  ] as const)
    it(`has headers ${what}`, () =>
      assert.deepEqual(accountsOf(`${header}\r\n${row}\r\n`), [
        [/^(?:sep|#|version)/i.test(header) ? 3 : 2, kim],
      ]));

  for (const [header, open, closed] of [
    ['accountEnabled', ['True', 'WAHR', 'VRAI', ''], ['False', 'FALSCH', 'FAUX', 'n']],
    ['Block sign in (Yes/No) [accountEnabled] Required', ['No', 'Nein'], ['Yes', 'Ja']],
    ['Block credential', ['False'], ['True']],
    ['Status [READ ONLY]', ['Active', ''], ['Suspended', 'Archived']],
    ['is_disabled', ['f', '0'], ['t', '1', '-1', 'x']],
    ['blocked', ['false'], ['TRUE']],
    ['Status', ['Suspended'], []],
  ] as const)
    it(`has no closed accounts, by ${header}`, () => {
      const text = `Email,${header}\n${[...open, ...closed].map((cell) => `x,${cell}`).join('\n')}`;
      assert.deepEqual(
        accountsOf(text),
        open.map((_, at) => [at + 2, { Email: 'x' }]),
      );
    });

  it('counts cells that say neither that an account is closed nor that it is open', () => {
    const reading = readTable('Email,disabled\nann@x,no\nben@x,2024-01-01\ncarl@x,');
    assert.ok(reading.kind === 'table');
    const { lines, notCarried } = convertTable(reading.table, guessMapping(reading.table));
    assert.deepEqual([lines.length, [...notCarried]], [3, [['the column disabled', 1]]]);
  });

  it('fills no field from a column without a name', () => {
    assert.deepEqual(accountsOf('Email,,\nx,Admin,$2b$10$a'), [[2, { Email: 'x' }]]);
    assert.deepEqual(accountsOf('{"":"Admin","Email":"x"}'), [[1, { Email: 'x' }]]);
  });

  it('has no two columns of the same name', () =>
    assert.deepEqual(accountsOf('Email,Name,email, Name\nx,a,y,b'), {
      kind: 'equal',
      names: ['email', 'Name'],
    }));

  it('has no other format', () => {
    for (const text of ['', 'email', '[{"Email":', '\n'])
      assert.deepEqual(readTable(text), { kind: 'unreadable' }, text);
  });

  it('is safe with unusual column names', () => {
    const text = '{"__proto__": "x", "constructor": "c", "Email": "a@example.com"}';
    assert.deepEqual(accountsOf(text), [[1, { Email: 'a@example.com' }]]);
  });
});

describe('the text of a file', () => {
  const text = 'Email;Name\r\nkim@example.com;Jürgen Müller\r\n';
  const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');
  for (const [encoding, bytes, expected] of [
    ['utf-8', Buffer.from(text), text],
    ['utf-8', Buffer.from(`\uFEFF${text}`), text],
    ['utf-16', utf16, text],
    ['utf-16', Buffer.from(utf16).swap16(), text],
    ['windows-1252', Buffer.from(text, 'latin1'), text],
    ['windows-1252', Buffer.from([0x80, 0x20, 0xe9]), '€ é'],
    ['utf-8', Buffer.alloc(0), ''],
  ] as const)
    it(`is read as ${encoding}: ${bytes.subarray(0, 4).toString('hex')}`, () =>
      assert.deepEqual(decodeFile(bytes), { text: expected, encoding }));
});

const cellsOf = (text: string, separator = ','): string[][] =>
  readCsv(text, separator).map(({ cells }) => cells);

describe('readCsv', () => {
  it('reads rows and cells with any line ending, and skips empty lines', () => {
    const rows = [
      ['a', 'b'],
      ['1', '2'],
      ['3', ''],
    ];
    for (const end of ['\n', '\r\n', '\r']) {
      const read = readCsv(['a,b', '', '1,2', '3,', ''].join(end), ',');
      const lines = rows.map((cells, at) => ({ line: [1, 3, 4][at], cells }));
      assert.deepEqual(read, lines, JSON.stringify(end));
    }
    assert.deepEqual(cellsOf('a,b\n1,2\n3,'), rows);
    assert.deepEqual(cellsOf(''), []);
  });

  it('keeps separators, line breaks and doubled quotes of quoted cells', () =>
    assert.deepEqual(cellsOf('"a,b","c ""d""","e\r\nf",""\r\nx'), [['a,b', 'c "d"', 'e\r\nf', ''], ['x']]));

  it('counts lines of the file, including those within cells', () =>
    assert.deepEqual(
      readCsv('h\n"a\nb"\nc\r\n\r\nd', ',').map(({ line }) => line),
      [1, 2, 4, 6],
    ));

  it('skips a byte order mark, and keeps malformed input', () => {
    assert.deepEqual(cellsOf('\uFEFFa;b\n1;2', ';'), [
      ['a', 'b'],
      ['1', '2'],
    ]);
    assert.deepEqual(cellsOf('a"b,c\n"open,d\ne'), [['a"b', 'c'], ['open,d\ne']]);
    assert.deepEqual(cellsOf('"a"b,c'), [['ab', 'c']]);
    assert.deepEqual(cellsOf('a, "b, c"'), [['a', 'b, c']]);
  });

  it('takes linear time', () => {
    const text = '"'.repeat(400_000) + ','.repeat(400_000);
    const began = performance.now();
    readCsv(text, ',');
    assert.ok(performance.now() - began < 2000);
  });
});

describe('separatorOf', () => {
  it('is the most frequent one in the first line', () => {
    assert.equal(separatorOf('email;name;first, last\na,b,c,d,e'), ';');
    assert.equal(separatorOf('email\tname'), '\t');
    assert.equal(separatorOf('email,name\r\n'), ',');
    assert.equal(separatorOf('email'), ',');
  });
});
