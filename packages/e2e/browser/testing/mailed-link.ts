import { eventually } from '@gatehouse/runtime/testing';
import type { Client } from '../../src/testing/index.ts';

/** The link with this path in the latest mail that contains one. */
export async function mailedLink(client: Client, email: string, path: string): Promise<string> {
  return eventually(async () => {
    const mails = await client.mailsTo(email);
    // Dates are whole seconds; mails of the same second are listed in the order in which they arrived.
    const links = mails
      .toSorted((a, b) => a.date.localeCompare(b.date))
      .toReversed()
      .flatMap(({ text }) => text.match(/https?:\/\/\S+/g) ?? []);
    return links.find((link) => new URL(link).pathname === path);
  }, 20);
}
