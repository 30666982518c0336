import { eventually } from '@gatehouse/runtime/testing';
import type { Client } from '../../src/testing/index.ts';

/** The link with this path in the latest mail that contains one. */
export async function mailedLink(client: Client, email: string, path: string): Promise<string> {
  return eventually(async () => {
    const mails = await client.mailsTo(email);
    const links = mails
      .toSorted((a, b) => b.date.localeCompare(a.date))
      .flatMap(({ text }) => text.match(/https?:\/\/\S+/g) ?? []);
    return links.find((link) => new URL(link).pathname === path);
  }, 20);
}
