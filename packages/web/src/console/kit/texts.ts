import type { Texts } from '../../ui/languages.ts';

/** What the kit says, and names that facts, columns and fields of several subjects have. */
export const kitTexts = {
  'acts.menu': ['Actions', 'Aktionen'],
  'acts.of': ['Actions for {name}', 'Aktionen für {name}'],
  'fact.by': ['By', 'Von'],
  'fact.created': ['Created', 'Erstellt'],
  'fact.email': ['Email', 'E-Mail'],
  'fact.kind': ['Kind', 'Art'],
  'fact.since': ['Since', 'Seit'],
  'fact.state': ['State', 'Status'],
  'bulk.all': ['Change all that match', 'Alle Treffer ändern'],
  'bulk.selected': ['Change selected', 'Ausgewählte ändern'],
  'bulk.back': ['Back', 'Zurück'],
  'bulk.filter': ['Change the filter', 'Filter ändern'],
  'bulk.preview': ['Preview changes', 'Änderungen anzeigen'],
  'bulk.more': ['and {count} more', 'und {count} weitere'],
  'bulk.more.one': ['and 1 more', 'und 1 weitere'],
  'bulk.changed': ['Changed: {count}.', 'Geändert: {count}.'],
  'bulk.left': ['Not changed, because they changed after the preview: {count}.', 'Nicht geändert, weil seit der Vorschau verändert: {count}.'],
  'bulk.moreChanged': ['Also changed, although not in the preview: {count}.', 'Ebenfalls geändert, obwohl nicht in der Vorschau: {count}.'],
  'bulk.who': ['What will change', 'Was sich ändert'],
  'bulk.selection': ['Selected rows', 'Ausgewählte Zeilen'],
  'bulk.count': ['{count} selected', '{count} ausgewählt'],
  'bulk.count.one': ['1 selected', '1 ausgewählt'],
  'bulk.clear': ['Clear selection', 'Auswahl aufheben'],
} satisfies Texts;
