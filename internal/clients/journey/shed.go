package journey

// shed is a plan as Microsoft Project writes it: a floor of two days, and then walls of three.
const shed = `<?xml version="1.0"?><Project xmlns="http://schemas.microsoft.com/project"><Name>Shed</Name><StartDate>2026-03-02T08:00:00</StartDate><CalendarUID>1</CalendarUID>
<Calendars><Calendar><UID>1</UID><Name>Crew</Name><IsBaseCalendar>1</IsBaseCalendar><WeekDays>
<WeekDay><DayType>1</DayType><DayWorking>0</DayWorking></WeekDay>
<WeekDay><DayType>2</DayType><DayWorking>1</DayWorking><WorkingTimes><WorkingTime><FromTime>08:00:00</FromTime><ToTime>16:00:00</ToTime></WorkingTime></WorkingTimes></WeekDay>
<WeekDay><DayType>3</DayType><DayWorking>1</DayWorking><WorkingTimes><WorkingTime><FromTime>08:00:00</FromTime><ToTime>16:00:00</ToTime></WorkingTime></WorkingTimes></WeekDay>
<WeekDay><DayType>4</DayType><DayWorking>1</DayWorking><WorkingTimes><WorkingTime><FromTime>08:00:00</FromTime><ToTime>16:00:00</ToTime></WorkingTime></WorkingTimes></WeekDay>
<WeekDay><DayType>5</DayType><DayWorking>1</DayWorking><WorkingTimes><WorkingTime><FromTime>08:00:00</FromTime><ToTime>16:00:00</ToTime></WorkingTime></WorkingTimes></WeekDay>
<WeekDay><DayType>6</DayType><DayWorking>1</DayWorking><WorkingTimes><WorkingTime><FromTime>08:00:00</FromTime><ToTime>16:00:00</ToTime></WorkingTime></WorkingTimes></WeekDay>
<WeekDay><DayType>7</DayType><DayWorking>0</DayWorking></WeekDay></WeekDays></Calendar></Calendars>
<Tasks>
<Task><UID>1</UID><ID>1</ID><Name>Floor</Name><OutlineLevel>1</OutlineLevel><Start>2026-03-02T08:00:00</Start><Finish>2026-03-03T16:00:00</Finish><EarlyStart>2026-03-02T08:00:00</EarlyStart><EarlyFinish>2026-03-03T16:00:00</EarlyFinish><Duration>PT16H0M0S</Duration><TotalSlack>0</TotalSlack><Critical>1</Critical></Task>
<Task><UID>2</UID><ID>2</ID><Name>Walls</Name><OutlineLevel>1</OutlineLevel><Start>2026-03-04T08:00:00</Start><Finish>2026-03-06T16:00:00</Finish><EarlyStart>2026-03-04T08:00:00</EarlyStart><EarlyFinish>2026-03-06T16:00:00</EarlyFinish><Duration>PT24H0M0S</Duration><TotalSlack>0</TotalSlack><Critical>1</Critical><PredecessorLink><PredecessorUID>1</PredecessorUID><Type>1</Type><LinkLag>0</LinkLag></PredecessorLink></Task></Tasks></Project>`
