import { ago, DAY, HOUR, MINUTE, type DemoWorld } from './demo-world.ts';
import { bytea, type Row } from './insert-rows.ts';
import type { DemoPerson } from './people.ts';

const CONTENTS = [
  ['LiveChannel', 'All Hands'],
  ['LiveChannel', 'Product Week: Main Stage'],
  ['LiveChannel', 'Product Week: Workshop Room'],
  ['LiveChannel', 'Town Hall Berlin'],
  ['LiveChannel', 'Sales Kick-off'],
  ['Recording', 'Annual Meeting 2025'],
  ['Recording', 'Onboarding, Part 1'],
  ['Recording', 'Onboarding, Part 2'],
  ['Recording', 'Security Basics'],
  ['Recording', 'Designing for Everybody'],
  ['Document', 'Travel Guidelines'],
  ['Document', 'Brand Book'],
  ['Document', 'Annual Report 2025'],
  ['Document', 'Price List'],
] as const;

export interface DemoContent {
  id: string;
  name: string;
  kind: (typeof CONTENTS)[number][0];
  owner: DemoPerson;
  createdAt: Date;
}

export interface DemoInvitation {
  id: string;
  account: DemoPerson;
  content: DemoContent;
  invitedAt: Date;
  isAccepted: boolean;
  mailEventId: string;
}

const LIFETIME = 7 * DAY;

export function inventContents(
  world: DemoWorld,
  people: readonly DemoPerson[],
): { contents: DemoContent[]; invitations: DemoInvitation[]; rows: Record<string, Row[]> } {
  const { random } = world;
  const owners = people.filter(({ role, condition }) => role === 'User' && condition === 'fine').slice(0, 6);
  const contents = CONTENTS.map(([kind, name], at): DemoContent => {
    const createdAt = ago(world, (40 - at) * DAY + random.whole(0, 20) * HOUR);
    const owner = owners[at % owners.length];
    if (owner === undefined) throw new Error('nobody owns the content');
    return { id: random.idAt(createdAt), name, kind, owner, createdAt };
  });
  const invitations = people
    .filter(({ role }) => role === 'Guest')
    .flatMap((account, at) => {
      const first = someInvitation(world, account, contents[at % contents.length]);
      const second = contents[(at + 5) % contents.length];
      return random.isLucky(0.4) ? [first, someInvitation(world, account, second)] : [first];
    });
  const viewers = people
    .filter(({ role, condition }) => role === 'User' && condition === 'fine')
    .slice(20, 120);
  return { contents, invitations, rows: rowsOf(world, { contents, invitations, viewers }) };
}

function someInvitation(
  world: DemoWorld,
  account: DemoPerson,
  content: DemoContent | undefined,
): DemoInvitation {
  if (content === undefined) throw new Error('there is no content to invite to');
  const { random } = world;
  const isAccepted = account.condition !== 'invited';
  // Guests are invited when their account is created. They accept soon after, or the invitation stays pending.
  const invitedAt = account.createdAt;
  return {
    id: random.idAt(invitedAt),
    account,
    content,
    invitedAt,
    isAccepted,
    mailEventId: random.idAt(invitedAt),
  };
}

function rowsOf(
  world: DemoWorld,
  given: { contents: DemoContent[]; invitations: DemoInvitation[]; viewers: DemoPerson[] },
): Record<string, Row[]> {
  const { random } = world;
  const { contents, invitations, viewers } = given;
  const accepted = invitations.filter(({ isAccepted }) => isAccepted);
  return {
    content_definition: contents.map(({ id, name, kind, owner, createdAt }) => ({
      id,
      name,
      kind,
      owner_id: owner.id,
      created_at: createdAt,
      updated_at: createdAt,
    })),
    invitation: invitations.map((one) => ({
      id: one.id,
      account_id: one.account.id,
      content_definition_id: one.content.id,
      token_hash: bytea(random.bytes(32)),
      invited_by: one.content.owner.id,
      invited_at: one.invitedAt,
      expires_at: new Date(one.invitedAt.getTime() + LIFETIME),
      accepted_at: one.isAccepted ? new Date(one.invitedAt.getTime() + random.whole(5, 600) * MINUTE) : null,
      deleted_at: null,
      mail_event_id: one.mailEventId,
      invited_email: one.account.email,
    })),
    content_access: [
      ...accepted.map(({ account, content, invitedAt }) => ({ account, content, at: invitedAt })),
      ...viewers.map((account, at) => ({
        account,
        content: contents[at % contents.length] ?? accepted[0]?.content,
        at: ago(world, random.whole(0, 20) * DAY),
      })),
    ].map(({ account, content, at }) => ({
      content_definition_id: content?.id,
      account_id: account.id,
      granted_by: content?.owner.id,
      granted_at: at,
      invited_email: account.email,
    })),
  };
}
