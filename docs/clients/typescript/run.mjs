// node run.mjs http://127.0.0.1:8000

import { work } from "./built/vendor_day.js";

const certificate = await work(...process.argv.slice(2));
for (const point of certificate.points) {
    console.log(point.is_met ? "yes" : "no ", point.title);
}
process.exit(certificate.is_certified ? 0 : 1);
