#!/usr/bin/env bash
# @ifc-lite/parser 3.15.0 (npm) forgets of which kind the lag of a link is.
#
# An IfcLagTime says whether it counts working or elapsed time, and may be a share of the predecessor's duration.
# The extracted schedule keeps the seconds of a duration alone: two working days are 172,800 seconds, elapsed time; a
# lag of half the predecessor's duration is no lag at all. What the package's own serializer writes back says
# WORKTIME for every lag, so two elapsed days of curing become two working days, and the lag by share is gone.
# No diagnostic is given in any of the cases.
#
# Seen on 2026-11-29 with Node 20 and a plan of IFC4 with three links.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @ifc-lite/parser@3.15.0
cat >plan.ifc <<'IFC'
ISO-10303-21;
HEADER;
FILE_DESCRIPTION(('ViewDefinition [CoordinationView]'),'2;1');
FILE_NAME('plan.ifc','2026-01-05T08:00:00',(''),(''),'','','');
FILE_SCHEMA(('IFC4'));
ENDSEC;
DATA;
#1=IFCPROJECT('0YvctVUKr0kugbFTf53O9L',$,'Site',$,$,$,$,$,#2);
#2=IFCUNITASSIGNMENT((#3));
#3=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);
#10=IFCTASKTIME($,$,$,.WORKTIME.,'P5D','2026-01-05T08:00:00','2026-01-09T16:00:00',$,$,$,$,$,$,$,$,$,$,$,$,$);
#11=IFCTASK('1YvctVUKr0kugbFTf53O9L',$,'Pour',$,$,'A1010',$,$,$,.F.,$,#10,.CONSTRUCTION.);
#12=IFCTASK('2YvctVUKr0kugbFTf53O9L',$,'Strip',$,$,'A1020',$,$,$,.F.,$,$,.CONSTRUCTION.);
#13=IFCTASK('3YvctVUKr0kugbFTf53O9L',$,'Walls',$,$,'A1030',$,$,$,.F.,$,$,.CONSTRUCTION.);
#14=IFCTASK('4YvctVUKr0kugbFTf53O9L',$,'Paint',$,$,'A1040',$,$,$,.F.,$,$,.CONSTRUCTION.);
#20=IFCLAGTIME($,$,$,IFCDURATION('P2D'),.WORKTIME.);
#21=IFCLAGTIME($,$,$,IFCDURATION('P2D'),.ELAPSEDTIME.);
#22=IFCLAGTIME($,$,$,IFCRATIOMEASURE(0.5),.WORKTIME.);
#30=IFCRELSEQUENCE('5YvctVUKr0kugbFTf53O9L',$,$,$,#11,#12,#20,.FINISH_START.,$);
#31=IFCRELSEQUENCE('6YvctVUKr0kugbFTf53O9L',$,$,$,#11,#13,#21,.FINISH_START.,$);
#32=IFCRELSEQUENCE('7YvctVUKr0kugbFTf53O9L',$,$,$,#11,#14,#22,.FINISH_START.,$);
ENDSEC;
END-ISO-10303-21;
IFC
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { IfcParser, extractScheduleOnDemand, serializeScheduleToStep } from '@ifc-lite/parser';
const print = console.log;
console.log = console.info = console.debug = () => {}; // what the parser tells of its speed
const { buffer } = new Uint8Array(readFileSync('plan.ifc'));
const store = await new IfcParser().parseColumnar(buffer, { disableWorkerScan: true });
const schedule = extractScheduleOnDemand(store);
for (const s of schedule.sequences)
  print(s.globalId[0], s.timeLagSeconds ?? 'no lag', /TIME/.test(JSON.stringify(s)) ? 'of a kind' : 'of no kind');
const { lines } = serializeScheduleToStep(schedule, { nextId: 100 });
for (const line of lines) if (/LAGTIME|RELSEQUENCE/.test(line)) print(line.replace(/^#\d+=/, '').replace(/#\d+/g, '#'));
JS
node read.mjs >seen 2>said || { cat said; exit 1; }
diff - seen <<'SEEN'
5 172800 of no kind
6 172800 of no kind
7 no lag of no kind
IFCLAGTIME($,$,$,IFCDURATION('P2D'),.WORKTIME.);
IFCRELSEQUENCE('5YvctVUKr0kugbFTf53O9L',$,$,$,#,#,#,.FINISH_START.,$);
IFCLAGTIME($,$,$,IFCDURATION('P2D'),.WORKTIME.);
IFCRELSEQUENCE('6YvctVUKr0kugbFTf53O9L',$,$,$,#,#,#,.FINISH_START.,$);
IFCRELSEQUENCE('7YvctVUKr0kugbFTf53O9L',$,$,$,#,#,$,.FINISH_START.,$);
SEEN
echo "@ifc-lite/parser 3.15.0 makes working days of elapsed ones and drops lags by share"
