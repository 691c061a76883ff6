/* The rope of ropes.py in Simbody, by its CPodesIntegrator as its package comes.
 * usage: ropes_simbody bdf|adams ACCURACY LINKS STIFFNESS DAMPING
 * bdf: Newton's iteration, adams: functional iteration. */
#include <Simbody.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <string>

namespace
{

using namespace SimTK;

const double mass = 1.0, length = 0.1, gravity = 9.81, end = 1.0;

double processor_time()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/* A pin turns about z of the frames at both sides of it. */
void hang(SimbodyMatterSubsystem &matter, GeneralForceSubsystem &forces, int links,
          double stiffness, double damping)
{
    const Inertia central(1e-4, 0.01 / 12, 0.01 / 12);
    const Vec3 com(length / 2, 0, 0);
    const Body::Rigid rod(MassProperties(mass, com, central.shiftFromMassCenter(com, mass)));
    const Rotation z_to_y(UnitVec3(YAxis), ZAxis);
    MobilizedBody parent = matter.Ground();
    for (int k = 0; k < links; k++) {
        const Vec3 at(k > 0 ? length : 0.0, 0, 0);
        MobilizedBody::Pin link(parent, Transform(z_to_y, at), rod, Transform(z_to_y, Vec3(0)));
        Force::MobilityLinearSpring(forces, link, MobilizerQIndex(0), stiffness, 0.0);
        Force::MobilityLinearDamper(forces, link, MobilizerUIndex(0), damping);
        parent = link;
    }
}

/* Processor time of the advance (s), and the angles of all hinges. */
double advance(bool bdf, double accuracy, int links, double stiffness, double damping,
               Vector &angles)
{
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    Force::UniformGravity(forces, matter, Vec3(0, 0, -gravity));
    hang(matter, forces, links, stiffness, damping);
    const State state = system.realizeTopology();
    CPodesIntegrator integrator(system, bdf ? CPodes::BDF : CPodes::Adams);
    integrator.setAccuracy(accuracy);
    integrator.setFinalTime(end);
    TimeStepper stepper(system, integrator);
    stepper.initialize(state);
    const double start = processor_time();
    stepper.stepTo(end);
    const double seconds = processor_time() - start;
    angles = stepper.getState().getQ();
    return seconds;
}

/* As timed.py: the mean of several advances where one is short. */
void run(bool bdf, double accuracy, int links, double stiffness, double damping)
{
    Vector angles;
    double seconds = 0.0, turn = 0.0;
    int count = 0;
    for (; seconds < 0.2; count++) {
        seconds += advance(bdf, accuracy, links, stiffness, damping, angles);
    }
    std::printf("{\"seconds\": %.9g, \"turns\": [", seconds / count);
    for (int k = 0; k < links; k++) {
        turn += angles[k];
        std::printf("%s%.17g", k > 0 ? ", " : "", turn);
    }
    std::printf("]}\n");
}

} // namespace

int main(int count, char **words)
{
    if (count != 6) {
        std::fprintf(stderr, "usage: ropes_simbody bdf|adams ACCURACY LINKS STIFFNESS DAMPING\n");
        return 2;
    }
    try {
        run(std::string(words[1]) == "bdf", std::atof(words[2]), std::atoi(words[3]),
            std::atof(words[4]), std::atof(words[5]));
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "ropes_simbody: %s\n", failure.what());
        return 1;
    }
    return 0;
}
