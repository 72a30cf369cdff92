/** A program in a module. */
module shop {
    requires io.fibry;
    requires io.fibry.context;
    requires io.fibry.helidon;
    requires io.fibry.micrometer;
    requires java.net.http;
    requires micrometer.core;
}
