export type { PageFacts } from './document.ts';
export { pageRoutes } from './page-routes.ts';
