export { shownCode, type Letter } from './letter.ts';
export { writers } from './writers.ts';
