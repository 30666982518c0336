export { pageSettings, readPageStyle, type PageStyle } from './page-settings.ts';
export { pageRoutes } from './page-routes.ts';
