export { type TestDatabase, testDatabase, insertRow, databaseUrlAs, untilWaiting } from './database.ts';
export { during, duringEach, endings } from '@gatehouse/runtime/testing';
export { claimMail, testOutbox } from './outbox.ts';
export { fill, fillTables, MANY, NUMBERED_ID, reading } from './very-many-rows.ts';
