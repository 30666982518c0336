import type { Entry } from './names.tsx';

/** An entry as a line of a table: its details are one cell. */
export function exportRow(entry: Entry): Record<string, string> {
  const {
    Id,
    At,
    Action,
    ActorKind,
    ActorId,
    ActorName,
    TargetKind,
    TargetId,
    TargetName,
    IpAddress,
    TraceId,
  } = entry;
  return {
    Id,
    At,
    Action,
    ActorKind,
    ActorId: ActorId ?? '',
    ActorName: ActorName ?? '',
    TargetKind,
    TargetId: TargetId ?? '',
    TargetName: TargetName ?? '',
    IpAddress: IpAddress ?? '',
    TraceId: TraceId ?? '',
    Details: JSON.stringify(entry.Details),
  };
}
