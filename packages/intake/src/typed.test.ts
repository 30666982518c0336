import assert from 'node:assert/strict';
import { typedCode, typedEmails } from './typed.ts';

describe('a typed code', () => {
  for (const [what, typed, meant] of [
    ['plain', '7KQ2-M9XD', '7KQ2-M9XD'],
    ['with marks of direction around', '\u202D492039\u202C', '492039'],
    ['with a mark of direction at the end', '492039\u200E', '492039'],
    ['with isolates', '\u2066492039\u2069', '492039'],
    ['with a zero width space', '492\u200B039', '492039'],
    ['with a byte order mark', '\uFEFF492039', '492039'],
    ['with a soft hyphen', '7KQ2\u00AD-M9XD', '7KQ2-M9XD'],
    ['with a variation selector', '492039\uFE0F', '492039'],
    ['with no-break and thin blanks', '492\u00A0039\u2009', '492 039'],
    ['in wide letters', '７ＫＱ２－Ｍ９ＸＤ', '7KQ2-M9XD'],
    ['with a minus sign', '7KQ2\u2212M9XD', '7KQ2-M9XD'],
    ['from a Japanese keyboard', '７ＫＱ２ーＭ９ＸＤ', '7KQ2-M9XD'],
    ['in bold, as in chats', '*492039*', '492039'],
    ['in Arabic digits', '٤٩٢٠٣٩', '492039'],
    ['in Persian digits', '۴۹۲۰۳۹', '492039'],
    ['in Devanagari digits', '४९२०३९', '492039'],
    ['in digits that follow those of another script', '\u{116DB}\u{116E3}', '19'],
    ['in quotes, at the end of a sentence', ' “7KQ2-M9XD”.', '7KQ2-M9XD'],
    ['in brackets', '(492039)', '492039'],
    ['nothing', '\u200B', ''],
    ['too long to have been typed', '4'.repeat(65), ''],
  ] as const)
    it(`is read: ${what}`, () => assert.equal(typedCode(typed), meant));
});

const [ANN, BEN] = ['ann@example.com', 'ben@example.com'];

describe('pasted addresses', () => {
  for (const [pasted, found] of [
    ['', []],
    ['ann@example.com\nben@example.com\r\n\n', [ANN, BEN]],
    ['ann@example.com, ben@example.com;cleo@example.com', [ANN, BEN, 'cleo@example.com']],
    ['ann@example.com ben@example.com\tcleo@example.com', [ANN, BEN, 'cleo@example.com']],
    ['Ann Lee <ann@example.com>, "Lee, Ben" <ben@example.com>', [ANN, BEN]],
    ['Lee, Ann <ann@example.com>; Lee, Ben <ben@example.com>', [ANN, BEN]],
    ['“ann@example.com”，\u200Bben@example.com.', [ANN, BEN]],
    ['Ann@Example.com, ann@example.com', ['Ann@Example.com']],
    ['Ann [mailto:ann@example.com]; mailto:ben@example.com?subject=Hi', [ANN, BEN]],
    ['<ann@example.com> Ben <ben@example.com>', [ANN, BEN]],
    ['• ann@example.com\n- ben@example.com', [ANN, BEN]],
    ['1. ann@example.com\n2) ben@example.com', [ANN, BEN]],
    // Outlook and Teams as text, Markdown, Google Contacts, a spreadsheet, folded headers, and WhatsApp.
    ['ann@example.com<mailto:ann@example.com>; Ben<mailto:ben@example.com>', [ANN, BEN]],
    ['[ann@example.com](mailto:ann@example.com), *ben@example.com*', [ANN, BEN]],
    ['Ann Lee (ann@example.com), Ben Lee (ben@example.com)', [ANN, BEN]],
    ['Ann Lee\tann@example.com\r\nBen Lee\tben@example.com', [ANN, BEN]],
    ['To: ann@example.com,\r\n Ben Lee\r\n <ben@example.com>', [ANN, BEN]],
    [
      '[28/11/2026, 16:25:03] Ann: ann@example.com\n\u200E[28.11.26, 4:26\u202Fpm] ~ Ben: ben@example.com',
      [ANN, BEN],
    ],
    // An invalid address is not dropped silently: the API reports it.
    ['ann.example.com; ann@example.com', ['ann.example.com', 'ann@example.com']],
    ['ann.example.com ben@example.com, cleo', ['ann.example.com', 'ben@example.com', 'cleo']],
  ] as const)
    it(`are found in ${JSON.stringify(pasted)}`, () => assert.deepEqual(typedEmails(pasted), found));

  it('are found in linear time', () => {
    const begun = process.cpuUsage();
    for (const piece of ['<', '"', '"<', '<>', '>', '[mailto:', '\n ', 'a@', ', ', "'", '\u200B'])
      typedEmails(piece.repeat(200_000 / piece.length));
    const { user, system } = process.cpuUsage(begun);
    assert.ok(user + system < 2_000_000, `${user + system} µs`);
  });
});
